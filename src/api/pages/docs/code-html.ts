import { html, type Html } from '../shell/html.ts';

export interface Code {
  readonly caption: string;
  /** As `sh`, `javascript`, `json`. */
  readonly language: string;
  readonly text: string;
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
function coloured(text: string, language: string): Html {
  if (language === 'http') return html`${text}`;
  const pieces = text.split(/("[^"\n]*":?|'[^'\n]*'|`[^`\n]*`)/);
  const isString = (piece: string) => /^["'`].*["'`]$/.test(piece);
  return html`${pieces.map((piece) => (isString(piece) ? html`<span class="string">${piece}</span>` : html`${piece}`))}`;
}
