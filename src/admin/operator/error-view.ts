import { html } from '../../api/pages/shell/html.ts';
import { refusalContent } from '../../api/pages/shell/refusal.ts';
import { operatorLayout } from './operator-layout.ts';
import type { PageReply } from '../../api/pages/shell/reply.ts';
import type { OperatorVisit } from './operator-context.ts';

const STATUSES = {
  missing: 404,
  gone: 409,
  forged: 403,
  locked: 403,
  wrong: 403,
  elsewhere: 409,
  stale: 409,
  used: 409,
  unavailable: 503,
} as const;
export type Trouble = keyof typeof STATUSES;

interface TroubleDetails {
  /** Another one than usual. */
  readonly status?: number;
  /** The words of a program, told as they are. */
  readonly said?: string;
  /** Where it is looked at again, below the language. */
  readonly again?: string;
}

/** What did not work, and what to do next. */
export function errorView(
  visit: OperatorVisit,
  what: Trouble,
  { said, again, status = STATUSES[what] }: TroubleDetails = {},
): PageReply {
  const { trouble } = visit.texts;
  const { title, text } = trouble[what];
  const isAgain = again !== undefined;
  const content = refusalContent({
    status,
    title,
    text,
    more: said !== undefined && html`<p>${visit.texts.quoted} <code lang="en">${said}</code></p> `,
    actions: html`${
        isAgain && html`<a class="button" href="/${visit.locale}${again}">${trouble.again}</a> `
      }<a class="button ${isAgain ? 'quiet' : ''}" href="/${visit.locale}">${trouble.back}</a>`,
  });
  const headers = status === 405 ? ['Allow', 'GET, HEAD, POST'] : [];
  // Of what was sent nothing is repeated.
  const place = again ?? '';
  return { status, view: operatorLayout(visit, { title, content, place }), headers };
}
