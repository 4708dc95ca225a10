import { queryString } from '../../routes/page-links.ts';
import { html, type Html } from '../shell/html.ts';

/** Links of which one is chosen. */
export interface Choice {
  readonly title: string;
  /** A query, or an address relative to the page. */
  readonly address: string;
  readonly isChosen: boolean;
  /** How many there are, as it is shown; null where that is not known. */
  readonly count: string | null;
}

export function choices(label: string, among: readonly Choice[], style: 'tabs' | 'facet'): Html {
  return html`<nav class="${style}" aria-label="${label}">
    ${style === 'facet' && html`<h2>${label}</h2>`}
    <ul>
      ${among.map(
        ({ title, address, isChosen, count }) =>
          html`<li>
            <a href="${address}" ${isChosen && html`aria-current="true"`}
              >${title}${count !== null && html` <span class="count">${count}</span>`}</a
            >
          </li> `,
      )}
    </ul>
  </nav> `;
}

/** The same page with these parameters and no others; those that are null are left out. */
export function queried(path: string, parameters: Parameters<typeof queryString>[0]): string {
  const query = queryString(parameters);
  return query === '' ? path : `${path}?${query}`;
}
