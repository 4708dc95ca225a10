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

/** A bar that is filled as far as these per cent. */
export function meter(percent: number): Html {
  return html`<svg class="meter" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
    <rect class="meter-room" width="100" height="6" />
    <rect class="meter-value" width="${percent}" height="6" />
  </svg>`;
}
