import { expect, test } from 'vitest';

import { ACTS, pathOf, REDRIVE } from '../../../support/operator-acts.ts';
import { parkedEvent } from '../../../support/operator-overview.ts';
import { runOperatorSite } from '../../../support/operator-site.ts';
import { otherLanguage } from '../../../support/pages.ts';

/** The operator page in Russian, and the way to it in English. */

const PLACES = ['', '?done=ended', `/parked?id=${encodeURIComponent(parkedEvent().id)}`];

test.each(PLACES)('the other language of /ru%s is the same page', async (place) => {
  await using site = await runOperatorSite();
  const page = await (await fetch(`${site.url}/ru${place}`)).text();
  expect(otherLanguage(page, 'en')).toBe(`/en${place}`);
});

test('what is refused leads to the first page of the other language', async () => {
  await using site = await runOperatorSite();
  for (const place of ['/nothing', '/parked?id=nothing', '/confirm?kind=x'])
    expect(otherLanguage(await (await fetch(`${site.url}/ru${place}`)).text(), 'en'), place).toBe('/en');
});

// The last of them would be refused.
test.each(ACTS.slice(0, -1))(
  'what $kind would do to $subject is said in the other language, too',
  async (act) => {
    await using site = await runOperatorSite();
    const { cookie } = await site.unlock();
    const headers = { cookie };
    const address = otherLanguage(await (await fetch(`${site.url}${pathOf(act)}`, { headers })).text(), 'en');
    expect(address).toBe(pathOf(act).replace('/ru/', '/en/'));
    const page = await (await fetch(`${site.url}${address}`, { headers })).text();
    // Its form is one of its own: nothing was done by looking twice.
    expect(page).toMatch(/name="confirmed" value="[^"]+"/);
    expect(site.acts).toEqual([]);
  },
);

test('after a form, the other language is where the reader goes on', async () => {
  await using site = await runOperatorSite({ begun: () => 'stale' });
  const { cookie, csrf } = await site.unlock();
  const confirmed = await site.confirm(REDRIVE, cookie, 'ru');
  const stale = await site.send('/ru/act', { csrf, confirmed }, { cookie });
  expect(stale.status).toBe(409);
  expect(otherLanguage(await stale.text(), 'en')).toBe(pathOf(REDRIVE).replace('/ru/', '/en/'));
  const wrong = await site.send('/ru/sign-in', { secret: 'not-the-secret-of-operators' });
  expect(wrong.status).toBe(403);
  expect(otherLanguage(await wrong.text(), 'en')).toBe('/en');
});
