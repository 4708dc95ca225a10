import { html, type Html, NOTHING } from '../shell/html.ts';
import type { Block, Code, Inline, PageLink, Section, Text } from './blocks.ts';
import { tableHtml } from './table-html.ts';

/** Blocks as markup. */

export function sectionHtml({ id, title, body }: Section): Html {
  return html`<section id="${id}" aria-labelledby="${id}-title">
    <h2 id="${id}-title"><a href="#${id}">${title}</a></h2>
    ${blocksHtml(body, 3)}
  </section> `;
}

/** `level` is that of the headings in them. */
export function blocksHtml(blocks: readonly Block[], level: 2 | 3): Html {
  return html`${blocks.map((block) => blockHtml(block, level))}`;
}

function blockHtml(block: Block, level: 2 | 3): Html {
  switch (block.kind) {
    case 'paragraph':
      return paragraphHtml(block.text);
    case 'heading': {
      const { id, title } = block;
      if (level === 2) return html`<h2 id="${id}"><a href="#${id}">${title}</a></h2> `;
      return html`<h3 id="${id}"><a href="#${id}">${title}</a></h3> `;
    }
    case 'list':
      return html`<ul>
        ${block.items.map((item) => html`<li>${textHtml(item)}</li> `)}
      </ul> `;
    case 'code':
      return codeHtml(block);
    case 'table': {
      const { foot, ...others } = block;
      const rows = block.rows.map((row) => row.map(textHtml));
      return tableHtml({ ...others, rows, ...(foot ? { foot: foot.map(textHtml) } : {}) });
    }
    case 'error':
      return html`<div class="error" id="${block.code}">
        <h3><a href="#${block.code}">${termHtml(block.code)}</a></h3>
        ${blocksHtml(block.body, level)}
      </div> `;
    case 'pages':
      return html`<ul class="pages">
        ${block.pages.map(pageLink)}
      </ul> `;
  }
}

function pageLink({ id, title, address, headings }: PageLink): Html {
  const within = headings.map((one) => html`<a id="${one.id}" href="${one.address}">${one.title}</a> `);
  return html`<li id="${id}">
    <strong><a href="${address}">${title}</a></strong>
    ${headings.length === 0 ? NOTHING : html`<span>${within}</span>`}
  </li> `;
}

export function paragraphHtml(text: Text): Html {
  return html`<p>${textHtml(text)}</p> `;
}

export function textHtml(text: Text): Html {
  return html`${text.map(inlineHtml)}`;
}

function inlineHtml(inline: Inline): Html {
  if (typeof inline === 'string') return html`${inline}`;
  switch (inline.kind) {
    case 'code':
      return termHtml(inline.text);
    case 'strong':
      return html`<strong>${inline.text}</strong>`;
    case 'small':
      return html`<small>${inline.text}</small>`;
    case 'variable':
      return html`<var translate="no">${inline.text}</var>`;
    case 'link':
      return html`<a href="${inline.address}">${textHtml(inline.words)}</a>`;
    case 'break':
      return html`<br />`;
  }
}

export function termHtml(text: string): Html {
  return html`<code translate="no">${text}</code>`;
}

/** Code that can be copied whole. It scrolls by itself, so it can be reached with the keyboard. */
export function codeHtml({ caption, language, text }: Code): Html {
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
