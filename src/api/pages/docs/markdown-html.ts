import { Lexer, type MarkedToken, type Token, type Tokens } from 'marked';

import { termHtml } from '../parts/facts.ts';
import { labelledTable, table, wideTable } from '../parts/table.ts';
import { html, type Html } from '../shell/html.ts';
import type { Part, Section } from './guide-sections.ts';

/**
 * Markdown as markup. The tag `html` writes all of it, so whatever stands in a text is escaped; HTML in Markdown is shown as
 * it stands there.
 */

/** A section of a page that has others, too. */
export function sectionHtml({ id, title, ...section }: Section): Html {
  return html`<section id="${id}" aria-labelledby="${id}-title">
    <h2 id="${id}-title"><a href="#${id}">${title}</a></h2>
    ${contentHtml({ id, title, ...section }, 3)}
  </section> `;
}

/** What stands below the title of a section; its parts have headings of this level. */
export function contentHtml({ title, body, parts }: Section, level: 2 | 3): Html {
  return html`${blocksHtml(body, title)}${parts.map((part) => partHtml(part, level))}`;
}

function partHtml({ id, title, isTerm, body }: Part, level: 2 | 3): Html {
  const blocks = blocksHtml(body, title);
  const link = html`<a href="#${id}">${isTerm ? termHtml(title) : title}</a>`;
  if (isTerm)
    return html`<div class="error" id="${id}">
      <h3>${link}</h3>
      ${blocks}
    </div> `;
  const heading = level === 2 ? html`<h2 id="${id}">${link}</h2>` : html`<h3 id="${id}">${link}</h3>`;
  return html`${heading} ${blocks}`;
}

function blocksHtml(blocks: readonly MarkedToken[], title: string): Html {
  return html`${blocks.map((block) => blockHtml(block, title))}`;
}

/** `title` is that of the part: a table in it is called so. */
function blockHtml(block: MarkedToken, title: string): Html {
  switch (block.type) {
    case 'space':
      return html``;
    case 'paragraph':
      return html`<p>${inlineHtml(block.tokens)}</p> `;
    case 'list':
      return html`<ul>
        ${block.items.map(({ tokens }) => html`<li>${inlineHtml(tokens)}</li> `)}
      </ul> `;
    case 'code': {
      // The words after the language are the caption.
      const [, language = '', caption = ''] = /^(\w+) (.*)$/.exec(block.lang ?? '') ?? [];
      return codeHtml({ language, caption, text: block.text });
    }
    case 'table':
      return guideTable(block, title);
    default:
      return html`${block.raw}`;
  }
}

/** A last row in bold is the foot: the sum of what stands above it. Few words beside numbers need no titles of their own. */
function guideTable({ header, align, rows }: Tokens.Table, label: string): Html {
  const columns = header.map(({ text }, index) => ({
    title: text,
    isNumber: align[index] === 'right',
    cell: (row: readonly Html[]) => row[index] ?? html``,
  }));
  const cells = rows.map((row) =>
    row.map(({ tokens }, index) => (index === 0 ? rowName(tokens) : inlineHtml(tokens))),
  );
  const texts = columns.filter(({ isNumber }) => !isNumber);
  if (texts.length > 1 && columns.length > 2) return labelledTable(label, cells, columns);
  const hasFoot = rows.at(-1)?.[0]?.tokens[0]?.type === 'strong';
  const foot = hasFoot ? cells.pop() : undefined;
  return wideTable(label, table(cells, columns, foot));
}

/** What a row is called; what is said of that in italics stands below it, in small letters. */
function rowName(tokens: readonly Token[]): Html {
  const pieces = (tokens as readonly MarkedToken[]).map((piece) =>
    piece.type === 'em' ? html`<br /><small>${inlineHtml(piece.tokens)}</small>` : pieceHtml(piece),
  );
  return html`${pieces}`;
}

/** A line of Markdown. */
export function lineHtml(markdown: string): Html {
  return inlineHtml(Lexer.lexInline(markdown));
}

function inlineHtml(tokens: readonly Token[]): Html {
  return html`${(tokens as readonly MarkedToken[]).map(pieceHtml)}`;
}

function pieceHtml(piece: MarkedToken): Html {
  switch (piece.type) {
    case 'text':
      return piece.tokens ? inlineHtml(piece.tokens) : html`${piece.text}`;
    case 'escape':
      return html`${piece.text}`;
    case 'codespan':
      return termHtml(piece.text);
    case 'strong':
      return html`<strong>${inlineHtml(piece.tokens)}</strong>`;
    // In italics stands what is filled in.
    case 'em':
      return html`<var translate="no">${inlineHtml(piece.tokens)}</var>`;
    case 'link':
      return html`<a href="${piece.href}">${inlineHtml(piece.tokens)}</a>`;
    default:
      return html`${piece.raw}`;
  }
}

interface Code {
  readonly caption: string;
  /** As `sh`, `javascript`, `json`. */
  readonly language: string;
  readonly text: string;
}

/** Code that can be copied whole. It scrolls by itself, so it can be reached with the keyboard. */
export function codeHtml({ caption, language, text }: Code): Html {
  return html`<figure class="code" data-language="${language}">
    <figcaption>${caption}</figcaption>
    <pre tabindex="0"><code translate="no">${coloured(text, language)}</code></pre>
  </figure> `;
}

/** Strings stand out, names of fields do not; that is all the colour that these few lines need. */
function coloured(text: string, language: string): Html {
  if (language === 'http') return html`${text}`;
  const pieces = text.split(/("[^"\n]*":?|'[^'\n]*'|`[^`\n]*`)/);
  const isString = (piece: string) => /^["'`].*["'`]$/.test(piece);
  return html`${pieces.map((piece) => (isString(piece) ? html`<span class="string">${piece}</span>` : html`${piece}`))}`;
}
