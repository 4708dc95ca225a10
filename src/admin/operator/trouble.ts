import { html, NOTHING } from '../../api/pages/shell/html.ts';
import { operatorLayout } from './around.ts';
import type { Shown, Visit } from './visit.ts';

const STATUSES = {
  missing: 404,
  method: 405,
  large: 400,
  forged: 403,
  locked: 403,
  wrong: 403,
  often: 429,
  elsewhere: 409,
  unavailable: 503,
} as const;
export type Trouble = keyof typeof STATUSES;

/** What did not work. `said` is told as it is; `waitS`: seconds after which it may work. */
export function troubleView(
  visit: Visit,
  what: Trouble,
  said: string | null = null,
  waitS: number | null = null,
): Shown {
  const status = STATUSES[what];
  const { title, text } = visit.texts.trouble[what];
  const content = html`<main id="content" class="page refusal">
    <p class="refusal-code" aria-hidden="true">${status}</p>
    <h1>${title}</h1>
    <p class="lead">${text}</p>
    ${said === null ? NOTHING : html`<p lang="en"><code>${said}</code></p> `}
    <p class="actions"><a class="button" href="/${visit.locale}">${visit.texts.trouble.back}</a></p>
  </main> `;
  const headers = [
    ...(waitS === null ? [] : ['Retry-After', String(waitS)]),
    ...(what === 'method' ? ['Allow', 'GET, HEAD, POST'] : []),
  ];
  return { status, view: operatorLayout({ title, content }, visit), headers };
}
