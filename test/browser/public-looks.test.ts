import { describe, expect, test } from 'vitest';

import { contextOf, EVERY_LOOK, HEIGHT } from './every-look.ts';
import { openGallery } from './gallery.ts';
import { isExpected, OPENED, PUBLIC_PAGES, statusOf } from './public-pages.ts';
import { runStage, standStill } from './stage.ts';
import { watch } from './watched.ts';
import { forAllTests } from '../support/for-each-test.ts';

/** What every public page looks like, in every language, scheme and width. */

const gallery = forAllTests(() => openGallery('public'));
const api = forAllTests(runStage, 300_000);

describe.each(EVERY_LOOK)('$locale, $colorScheme, $width px wide', (look) => {
  const watched = forAllTests(() => watch(gallery.browser, api.url, contextOf(look)));

  test.each(Object.entries(PUBLIC_PAGES))(
    '%s can be read by everybody, fits, looks as before and loads nothing from elsewhere',
    async (name, place) => {
      standStill(api);
      const before = watched.complaints.length;
      const response = await watched.page.goto(place(look.locale));
      expect(response?.status()).toBe(statusOf(name));
      await gallery.expectSeen(watched.page, name, look);
      expect(watched.complaints.slice(before).filter((one) => !isExpected(one, name))).toEqual([]);
    },
  );

  test.each(Object.entries(OPENED))(
    '%s can be read by everybody, fits and looks as before',
    async (name, one) => {
      standStill(api);
      const before = watched.complaints.length;
      await watched.page.goto(one.place(look.locale));
      await one.open(watched.page);
      await gallery.expectSeen(watched.page, name, look, HEIGHT);
      expect(watched.complaints.slice(before)).toEqual([]);
    },
  );
});

test('no baseline is of a page that is gone', () => {
  gallery.expectNoOthers();
});
