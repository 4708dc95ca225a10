import { html, type Html, NOTHING } from './html.ts';

interface Refusal {
  readonly status: number;
  readonly title: string;
  readonly text: string;
  readonly more?: Html;
  /** Links to where one can go on. */
  readonly actions: Html;
}

/** What did not work, and what to do next: the same on every kind of page. */
export function refusalContent({ status, title, text, more = NOTHING, actions }: Refusal): Html {
  return html`<main id="content" class="page refusal">
    <p class="refusal-code" aria-hidden="true">${status}</p>
    <h1>${title}</h1>
    <p class="lead">${text}</p>
    ${more}
    <p class="actions">${actions}</p>
  </main> `;
}
