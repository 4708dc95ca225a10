import type { Locale, Texts } from '../../../texts/texts.ts';
import { type Problem, PROBLEMS } from '../../problems.ts';
import { type PageContext, paths } from './page-context.ts';
import { html, type Html, type Part } from './html.ts';
import { layout } from './layout.ts';

/**
 * What people see where there is no page for them. It repeats nothing of what was sent, so that it is as short for an address
 * that somebody made up. `elsewhere` is where it leads in another language.
 */
export function refusalPage(
  { problem }: Problem,
  context: PageContext,
  elsewhere: (locale: Locale) => string,
): Html {
  const { locale, root, shell } = context;
  const texts = shell.refusal;
  const { status } = PROBLEMS[problem];
  const { title, text } = texts[reasonOf(status)];
  const actions = html`<a class="button" href="${root}${paths.search(locale)}">${texts.toSearch}</a>
    <a class="button quiet" href="${root}${paths.status(locale)}">${texts.toStatus}</a>
    <a class="button quiet" href="${root}${paths.guide(locale)}">${texts.toKeys}</a>`;
  const content = refusalContent({ status, title, text, actions });
  return layout(context, { title, description: text, place: null, elsewhere, content });
}

function reasonOf(status: number): Exclude<keyof Texts['shell']['refusal'], `to${string}`> {
  if (status === 429) return 'busy';
  if (status === 405) return 'method';
  if (status === 503) return 'unavailable';
  return status >= 500 ? 'fault' : 'missing';
}

interface Refusal {
  readonly status: number;
  readonly title: string;
  readonly text: string;
  readonly more?: Part;
  /** Links to where one can go on. */
  readonly actions: Html;
}

/** What did not work, and what to do next: the same on every kind of page. */
export function refusalContent({ status, title, text, more, actions }: Refusal): Html {
  return html`<main id="content" class="page refusal">
    <p class="refusal-code" aria-hidden="true">${status}</p>
    <h1>${title}</h1>
    <p class="lead">${text}</p>
    ${more}
    <p class="actions">${actions}</p>
  </main> `;
}
