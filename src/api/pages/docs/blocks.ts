/** What the developer pages are built from: a tree that is rendered as HTML and as Markdown. */

/** A piece of running text. */
export type Inline =
  | string
  | { readonly kind: 'code' | 'strong' | 'small' | 'variable'; readonly text: string }
  | { readonly kind: 'link'; readonly words: Text; readonly address: string }
  | { readonly kind: 'break' };

export type Text = readonly Inline[];

export interface Code {
  readonly caption: string;
  readonly language: 'sh' | 'javascript' | 'typescript' | 'python' | 'json' | 'http';
  readonly text: string;
}

export interface Table {
  /** What it is about, for those who do not see it. */
  readonly label: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly Text[])[];
  /** Columns of numbers, by index. */
  readonly numeric?: readonly number[];
  readonly foot?: readonly Text[];
}

/** Another page, and what it has under headings. The ids are those that stood here when the guide was one page. */
export interface PageLink {
  readonly id: string;
  readonly title: string;
  readonly address: string;
  readonly headings: readonly Omit<PageLink, 'headings'>[];
}

export type Block =
  | { readonly kind: 'paragraph'; readonly text: Text }
  | { readonly kind: 'heading'; readonly id: string; readonly title: string }
  | { readonly kind: 'list'; readonly items: readonly Text[] }
  | ({ readonly kind: 'code' } & Code)
  | ({ readonly kind: 'table' } & Table)
  | { readonly kind: 'error'; readonly code: string; readonly body: readonly Block[] }
  | { readonly kind: 'pages'; readonly pages: readonly PageLink[] };

/** A part of a page under a heading; its id is the same in every language. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly body: readonly Block[];
}

/** A heading within a section. */
export function heading(id: string, title: string): Block {
  return { kind: 'heading', id, title };
}

export function paragraph(text: Text): Block {
  return { kind: 'paragraph', text };
}

export function list(items: readonly Text[]): Block {
  return { kind: 'list', items };
}

export function code(of: Code): Block {
  return { kind: 'code', ...of };
}

export function table(of: Table): Block {
  return { kind: 'table', ...of };
}

export function term(text: string): Inline {
  return { kind: 'code', text };
}

export function link(words: Text, address: string): Inline {
  return { kind: 'link', words, address };
}
