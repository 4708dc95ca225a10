import { beforeEach, expect, test } from 'vitest';

import { followNotices, KEY_NOTICES, postNotice } from '../../../src/access/instance-notices.ts';
import { systemClock } from '../../../src/platform/time/clock.ts';
import type { Documents } from '../../../src/stores/documents/port.ts';
import { openFile } from './fixture.ts';
import { forEachTest } from '../../support/for-each-test.ts';

const file = forEachTest(openFile);
let documents: Documents;
beforeEach(async () => {
  documents = file.client();
  await documents.declare(KEY_NOTICES);
});

async function followed() {
  const heard: string[] = [];
  const count = { missed: 0 };
  const notices = followNotices(file.client(), systemClock, KEY_NOTICES, {
    told: (about) => void heard.push(...about),
    missed: () => void (count.missed += 1),
  });
  await notices.look();
  return { notices, heard, count };
}

test('every notice is heard once, in one order by all, however many post at once', async () => {
  const [one, two] = [await followed(), await followed()];
  const posters = Array.from({ length: 8 }, () => file.client());
  const posted = posters.flatMap((from, poster) =>
    Array.from({ length: 20 }, async (_, index) => {
      await postNotice(from, KEY_NOTICES, [`${poster}-${index}`]);
      if (index % 5 === 0) await one.notices.look();
    }),
  );
  await Promise.all(posted);
  await one.notices.look();
  await two.notices.look();
  expect(one.heard).toHaveLength(160);
  expect(new Set(one.heard).size).toBe(160);
  expect(two.heard).toEqual(one.heard);
});

test('whoever begins to look hears what comes, and nothing of before', async () => {
  await postNotice(documents, KEY_NOTICES, ['before']);
  const { notices, heard, count } = await followed();
  expect(count.missed).toBe(1);
  await postNotice(documents, KEY_NOTICES, ['after']);
  await notices.look();
  expect(heard).toEqual(['after']);
  expect(count.missed).toBe(1);
});

test('whoever looks at a store that was brought back from a copy is told that something may be missed', async () => {
  for (const account of ['one', 'two', 'three']) await postNotice(documents, KEY_NOTICES, [account]);
  const { notices, heard, count } = await followed();
  for await (const batch of documents.scan(KEY_NOTICES.name))
    await documents.remove(
      KEY_NOTICES.name,
      batch.slice(1).map(({ id, version }) => ({ id, read: version })),
    );
  // Meanwhile as many have been posted as were lost.
  for (const account of ['other two', 'other three']) await postNotice(documents, KEY_NOTICES, [account]);
  await notices.look();
  expect(count.missed).toBe(2);
  await postNotice(documents, KEY_NOTICES, ['four']);
  await notices.look();
  expect(heard).toEqual(['four']);
});

test('a look that begins while one is under way is the same one', async () => {
  const { notices } = await followed();
  expect(notices.look()).toBe(notices.look());
});
