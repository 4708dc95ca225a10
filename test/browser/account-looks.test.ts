import { describe, expect, test } from 'vitest';

import { published } from '../support/events.ts';
import { forAllTests } from '../support/for-each-test.ts';
import { runPages } from '../support/pages.ts';
import { fill, NAMED_PROVIDER, openLink } from './account-stage.ts';
import { contextOf, EVERY_LOOK } from './every-look.ts';
import { openGallery } from './gallery.ts';
import { MOMENT, standStill } from './stage.ts';
import { watch } from './watched.ts';

/** What the pages of an account look like, in every language, scheme and width. */

const gallery = forAllTests(() => openGallery('account'));
const api = forAllTests(() => runPages({ at: MOMENT }, published()));
/** The same with a provider of identities. */
const provided = forAllTests(() => runPages({ at: MOMENT, oidc: NAMED_PROVIDER }));

describe.each(EVERY_LOOK)('$locale, $colorScheme, $width px wide', (look) => {
  const { locale } = look;

  test('every page of an account can be read by everybody, fits, looks as before and loads nothing from elsewhere', async () => {
    await using watched = await watch(gallery.browser, api.url, contextOf(look));
    const { page, complaints } = watched;
    const seen = async (name: string) => await gallery.expectSeen(page, name, look);
    standStill(api);
    await page.goto(`/${locale}/account`);
    await seen('sign-in');
    const { account, link } = await openLink(api, page, locale);
    await seen('link');
    await page.click('main form button');
    await seen('empty');
    await fill(api, account);
    await page.fill('#label', 'laptop');
    await page.click('form.create button');
    await page.waitForSelector('[data-key]');
    await seen('made');
    await page.goto(`/${locale}/account`);
    await seen('full');
    await page.locator('main details').evaluateAll((all) => {
      for (const one of all) one.setAttribute('open', '');
    });
    await seen('forms');
    await page.click('main form[action$="sign-out"] button');
    await seen('signed-out');
    expect(complaints).toEqual([]);
    await page.goto(link);
    await page.click('main form button');
    await seen('spent');
    expect(complaints.filter((one) => !one.includes('status of 410'))).toEqual([]);
  });

  test('and so can those that lead to a provider of identities', async () => {
    await using watched = await watch(gallery.browser, provided.url, contextOf(look));
    const { page, complaints } = watched;
    await page.goto(`/${locale}/account`);
    await gallery.expectSeen(page, 'provider', look);
    await openLink(provided, page, locale);
    await gallery.expectSeen(page, 'join', look);
    expect(complaints).toEqual([]);
  });
});

test('no baseline is of a page that is gone', () => {
  gallery.expectNoOthers();
});
