import { type Frame, paths } from '../shell/frame.ts';
import { html, type Html } from '../shell/html.ts';
import { layout, type Page } from '../shell/layout.ts';
import type { AccountVisit } from './account-visit.ts';

/** What account pages are written with. */
export type PartContext = Frame & Pick<AccountVisit, 'texts'>;

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

/** A form to an address below the account. `sent` goes along unseen; its token is always among it. */
export function accountForm(
  { locale, root }: PartContext,
  path: string,
  sent: Readonly<Record<string, string>> & { readonly csrf: string },
  content: Html,
  style = '',
): Html {
  return html`<form method="post" action="${root}${paths.account(locale)}${path}" class="${style}">
    ${Object.entries(sent).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" /> `)}
    ${content}
  </form> `;
}
