import type { Page } from 'playwright-core';

import type { Locale } from '../../src/texts/texts.ts';
import type { Oidc } from '../../src/api/pages/account/oidc/code-flow.ts';
import type { RunningApi } from '../support/api.ts';

/** People with accounts, as browsers meet them. */

const DAY = 86_400_000;

/** A provider that is named and never gone to. */
export const NAMED_PROVIDER: Oidc = {
  name: 'id.example',
  begin: () => Promise.reject(new Error('Nobody signs in here')),
  finish: () => Promise.reject(new Error('Nobody comes back')),
  allows: () => false,
};

let accounts = 9;

/** Opens a one-time link of an account of its own. Returns the account's name, and where the link leads. */
export async function openLink(
  api: RunningApi,
  page: Page,
  locale: Locale,
): Promise<{ readonly account: string; readonly link: string }> {
  accounts += 1;
  const account = `studio-${accounts}`;
  // Time passes, so that attempts to sign in are those of single people; it is the same time of day.
  api.clock.movedMs += 60_000;
  api.clock.jumpedMs -= 60_000;
  const { token } = await api.accounts.invite(account, DAY);
  const link = `/${locale}/account/sign-in?link=${token}`;
  await page.goto(link);
  return { account, link };
}

/** Keys that have been used for some days, one of them about to be replaced. */
export async function fill(api: RunningApi, account: string): Promise<void> {
  for (const label of ['website', 'a bot with a name that is rather long for a card of this width']) {
    const created = await api.keys.create(account, { label });
    if (created.outcome !== 'created') throw new Error(created.outcome);
  }
  const keys = await api.keys.list(account);
  for (let day = 0; day < 25; day += 1) {
    const at = new Date(api.clock.now() - day * DAY).toISOString().slice(0, 10);
    for (const { id, place } of keys) {
      const asked = ((day + 3) * 37 * place) % 400;
      const used = { shares: { w: asked }, uses: { w: { [id]: [asked, 480] } } };
      await api.documents.write('quota', [
        {
          id: `${at}/${account}/${place}`,
          read: null,
          version: `${at}-${account}-${place}`,
          body: { place: `${account}/${place}`, day: at, ...used },
        },
      ]);
    }
  }
  const [first] = keys;
  await api.keys.rotate(account, String(first?.id), { overlapMs: DAY });
}
