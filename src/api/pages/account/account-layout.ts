import { type PageContext, paths } from '../shell/page-context.ts';
import { html, type Html } from '../shell/html.ts';
import { layout, type Page } from '../shell/layout.ts';
import type { AccountVisit, Trouble } from './account-context.ts';
import { refusalContent } from '../shell/refusal.ts';
import type { PageReply } from '../shell/reply.ts';

/** What account pages are written with. */
export type PartContext = PageContext & Pick<AccountVisit, 'texts'>;

/** A page of accounts. None is to be found by others, and each leads to the account in the other language. */
export function accountPage(
  context: PartContext,
  page: Pick<Page, 'title' | 'content'> & Partial<Page>,
): Html {
  return layout(context, {
    description: context.texts.description,
    place: null,
    elsewhere: paths.account,
    current: 'account',
    styles: ['catalog.css', 'account.css'],
    ...page,
  });
}

/** Where the page of the account is, from the page that is shown, or an address below it. */
export function accountAddress({ locale, root }: Pick<PageContext, 'locale' | 'root'>, path = ''): string {
  return `${root}${paths.account(locale)}${path}`;
}

/** Where a one-time link leads to, with what it bears. */
export function linkAddress(context: Pick<PageContext, 'locale' | 'root'>, link: string): string {
  return accountAddress(context, `/sign-in?link=${encodeURIComponent(link)}`);
}

const STATUSES: Readonly<Record<Trouble, number>> = {
  spent: 410,
  expired: 410,
  unknown: 404,
  forged: 403,
  often: 429,
  large: 400,
  identity: 403,
  stale: 410,
  refused: 502,
  unreachable: 503,
  misconfigured: 500,
  missing: 404,
  method: 405,
  unavailable: 503,
  fault: 500,
};

/** What people see where something did not work. `waitS`: seconds after which it may. `link`: the one-time link that they came with. */
export function trouble(
  visit: PartContext & Pick<AccountVisit, 'home'>,
  what: Trouble,
  waitS: number | null = null,
  link: string | null = null,
): PageReply {
  const { texts, locale, home, say } = visit;
  const status = STATUSES[what];
  const { title, text } = texts.trouble[what];
  const content = refusalContent({
    status,
    title,
    text: say(text, { url: `${home.url}/${paths.account(locale)}` }),
    actions: html`<a class="button" href="${link === null ? accountAddress(visit) : linkAddress(visit, link)}"
      >${texts.trouble.back}</a
    >`,
  });
  const headers = [
    ...(waitS === null ? [] : ['Retry-After', String(waitS)]),
    ...(what === 'method' ? ['Allow', 'GET, HEAD, POST'] : []),
  ];
  return { status, view: accountPage(visit, { title, description: text, styles: [], content }), headers };
}
