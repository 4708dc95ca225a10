import { describe, expect, test } from 'vitest';

import { forAllTests } from '../support/for-each-test.ts';
import { CONFIRMED } from '../support/operator-acts.ts';
import { parkedEvent } from '../support/operator-overview.ts';
import { runOperatorSite } from '../support/operator-site.ts';
import { SECRET } from '../support/operator-visitor.ts';
import { contextOf, EVERY_LOOK } from './every-look.ts';
import { openGallery } from './gallery.ts';
import { watch } from './watched.ts';

/** What the operator page looks like, in every language, scheme and width, over a stand-in for the projector. */

const gallery = forAllTests(() => openGallery('operator'));

describe.each(EVERY_LOOK)('$locale, $colorScheme, $width px wide', (look) => {
  const { locale } = look;

  test('every operator page can be read by everybody, fits, looks as before and loads nothing from elsewhere', async () => {
    await using own = await runOperatorSite();
    await using watched = await watch(gallery.browser, own.url, contextOf(look));
    const { page, complaints } = watched;
    const seen = async (name: string) => await gallery.expectSeen(page, name, look);
    await page.goto(`/${locale}`);
    await seen('locked');
    await page.fill('#secret', SECRET);
    await page.click('form.lock button');
    await page.waitForSelector('form.act');
    await seen('open');
    await page.goto(`/${locale}/parked?id=${encodeURIComponent(parkedEvent().id)}`);
    await seen('parked');
    await page.goto(`/${locale}?done=ended`);
    await seen('done');
    for (const kind of CONFIRMED) {
      await page.goto(`/${locale}`);
      await page.click(`a.act[href*="kind=${kind}&"]`);
      await seen(`confirm-${kind}`);
    }
    expect(complaints).toEqual([]);
  });
});

test('no baseline is of a page that is gone', () => {
  gallery.expectNoOthers();
});
