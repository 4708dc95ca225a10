import { lexer, type MarkedToken, type Tokens } from 'marked';

/**
 * A section of the guide as it is read from Markdown: `# Title` first, then its parts, each under `## Title {#anchor}`. An
 * anchor is the same in every language.
 */
export interface Section extends Part {
  readonly parts: readonly Part[];
}

export interface Part {
  readonly id: string;
  /** As plain text. */
  readonly title: string;
  /** Whether the title is a word for programs, such as the code of an error. */
  readonly isTerm: boolean;
  readonly body: readonly MarkedToken[];
}

const ANCHOR = /\s*\{#([\w-]+)\}$/;

export function parseSection(id: string, markdown: string): Section {
  const parts: (Part & { readonly body: MarkedToken[] })[] = [];
  for (const token of lexer(markdown) as MarkedToken[]) {
    if (token.type === 'heading') parts.push({ ...titleOf(token, id), body: [] });
    else parts.at(-1)?.body.push(token);
  }
  const [first, ...others] = parts;
  if (!first) throw new Error(`the section ${id} of the guide has no title`);
  return { ...first, parts: others };
}

function titleOf({ text }: Tokens.Heading, section: string): Omit<Part, 'body'> {
  const [, id = section] = ANCHOR.exec(text) ?? [];
  const title = text.replace(ANCHOR, '');
  const [, term] = /^`(.+)`$/.exec(title) ?? [];
  return { id, title: term ?? title, isTerm: term !== undefined };
}

/** As Markdown again, under a heading of this level, without anchors. */
export function sectionMarkdown(section: Section, level: number): string {
  return [partMarkdown(section, level), ...section.parts.map((one) => partMarkdown(one, level + 1))].join(
    '\n',
  );
}

function partMarkdown({ title, isTerm, body }: Part, level: number): string {
  const heading = `${'#'.repeat(level)} ${isTerm ? `\`${title}\`` : title}\n`;
  return body.every(({ type }) => type === 'space') ? heading : `${heading}\n${markdownOf(body).trim()}\n`;
}

export function markdownOf(blocks: readonly MarkedToken[]): string {
  return blocks.map(({ raw }) => raw).join('');
}
