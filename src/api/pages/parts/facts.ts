import { html, type Html, type Part } from '../shell/html.ts';

/** A name with its value, in a list of facts; nothing where there is no value. */
export function fact(name: string, value: string | Html | null): Part {
  return (
    value !== null &&
    html`<div>
      <dt>${name}</dt>
      <dd>${value}</dd>
    </div> `
  );
}

/** A name that programs have, within a sentence: it is not translated. */
export function termHtml(name: string): Html {
  return html`<code translate="no">${name}</code>`;
}

/** Code as it is typed. It scrolls by itself, so it can be reached with the keyboard. `labelledBy`: the id of what says what it is. */
export function codeBlock(text: string, labelledBy?: string): Html {
  const label = labelledBy !== undefined && html`role="group" aria-labelledby="${labelledBy}"`;
  return html`<pre class="code" tabindex="0" ${label}><code translate="no">${text}</code></pre>`;
}

/** A bar that is filled as far as these per cent. */
export function meter(percent: number): Html {
  return html`<svg class="meter" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
    <rect class="meter-room" width="100" height="6" />
    <rect class="meter-value" width="${percent}" height="6" />
  </svg>`;
}
