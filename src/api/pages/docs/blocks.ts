import { type Html, html } from '../shell/html.ts';

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

export function term(text: string): Html {
  return html`<code translate="no">${text}</code>`;
}
