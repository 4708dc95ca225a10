import { visibleLines } from '../../platform/visible.ts';

/** What the sections are built from. */

/** A part of the page under a heading; its id is the same in every language. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly body: readonly Html[];
}

export function section({ id, title, body }: Section): Html {
  return html`<section id="${id}" aria-labelledby="${id}-title">
    <h2 id="${id}-title"><a href="#${id}">${title}</a></h2>
    ${body}
  </section> `;
}

/** A heading within a section. */
export function heading(id: string, title: string): Html {
  return html`<h3 id="${id}"><a href="#${id}">${title}</a></h3> `;
}

export function paragraph(text: Html): Html {
  return html`<p>${text}</p> `;
}

export function list(items: readonly Html[]): Html {
  return html`<ul>
    ${items.map((item) => html`<li>${item}</li> `)}
  </ul> `;
}

export interface Code {
  readonly caption: string;
  readonly language: 'sh' | 'javascript' | 'typescript' | 'python' | 'json' | 'http';
  readonly text: string;
}

/** Code that can be copied whole. It scrolls by itself, so it can be reached with the keyboard. */
export function code({ caption, language, text }: Code): Html {
  return html`<figure class="code" data-language="${language}">
    <figcaption>${caption}</figcaption>
    <pre tabindex="0"><code translate="no">${coloured(text, language)}</code></pre>
  </figure> `;
}

/** Strings stand out, names of fields do not; that is all the colour that these few lines need. */
function coloured(text: string, language: Code['language']): Html {
  if (language === 'http') return html`${text}`;
  const pieces = text.split(/("[^"\n]*":?|'[^'\n]*'|`[^`\n]*`)/);
  const isString = (piece: string) => /^["'`].*["'`]$/.test(piece);
  return html`${pieces.map((piece) => (isString(piece) ? string(piece) : html`${piece}`))}`;
}

function string(text: string): Html {
  return html`<span class="string">${text}</span>`;
}

export interface Table {
  /** What it is about, for those who do not see it. */
  readonly label: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly Html[])[];
  /** Columns of numbers, by index. */
  readonly numeric?: readonly number[];
  readonly foot?: readonly Html[];
}

/** A table that scrolls by itself where it is too wide; the first cell of a row names the row. */
export function table({ label, head, rows, numeric = [], foot }: Table): Html {
  const kind = (index: number) => (numeric.includes(index) ? html` class="number"` : NOTHING);
  const row = (cells: readonly Html[]) =>
    html`<tr>
      ${cells.map((cell, index) =>
        index === 0
          ? html`<th scope="row" ${kind(index)}>${cell}</th>`
          : html`<td${kind(index)}>${cell}</td>`,
      )}
    </tr> `;
  return html`<div class="table" role="region" aria-label="${label}" tabindex="0">
    <table>
      <thead>
        <tr>
          ${head.map((title, index) => html`<th scope="col" ${kind(index)}>${title}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(row)}
      </tbody>
      ${
        foot
          ? html`<tfoot>
              ${row(foot)}
            </tfoot>`
          : NOTHING
      }
    </table>
  </div> `;
}

export function term(text: string): Html {
  return html`<code translate="no">${text}</code>`;
}

/** Markup that is safe to send. Only `html` makes it, and it escapes whatever else is put into it. */
export interface Html {
  readonly markup: string;
}

type Part = string | number | Html | readonly Html[];

/** A piece of a page. Lists stand one after the other; text and numbers are escaped. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const pieces = strings.map(
    (text, index) => text + (index < parts.length ? markupOf(parts[index] ?? '') : ''),
  );
  return { markup: pieces.join('') };
}

export const NOTHING: Html = { markup: '' };

function markupOf(part: Part): string {
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part));
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('');
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Fit for text and for quoted attributes; lines are ours, and what cannot be seen is shown. */
function escaped(text: string): string {
  return visibleLines(text).replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign);
}
