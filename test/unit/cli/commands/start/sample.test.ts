import { setImmediate as nextTurn } from 'node:timers/promises';

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { waitForSample } from '../../../../../src/cli/commands/start/sample.ts';
import { ensureTopics } from '../../../../../src/compose/projector.ts';
import { FEED_LEASES } from '../../../../../src/stores/feed-lease.ts';
import { LISTINGS } from '../../../../support/collections.ts';
import { putDocument } from '../../../../support/documents.ts';
import { temporaryFolder } from '../../../../support/folder.ts';
import { openParts } from '../../../../support/parts.ts';
import { printedTo } from '../../../../support/printed-to.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const ON_ITS_WAY = /not everything is served yet: see ".*status"\.\n/;

/** Waits for an event that nobody projects; `onLook` is called at each look, and says how much earlier the log begins by then. */
async function waiting(onLook: () => number) {
  const parts = await openParts({ CATALOG_DATA: temporaryFolder() });
  await ensureTopics(parts);
  const event = { topic: 'catalog.entries', key: 'a', value: Buffer.from('{}'), headers: {} };
  await parts.log.append([event]);
  const log = {
    ...parts.log,
    ends: async (topic: string) =>
      (await parts.log.ends(topic)).map((ends) => ({ ...ends, earliest: ends.earliest - onLook() })),
  };
  const clock = { ...parts.clock, sleep: async () => await nextTurn() };
  return { parts: { ...parts, log, clock }, [Symbol.asyncDispose]: () => parts[Symbol.asyncDispose]() };
}

test('where nothing of the sample moves, start says so and goes on; what it returns waits on', async () => {
  let looks = 0;
  await using stage = await waiting(() => {
    looks += 1;
    if (looks % 10 === 0) vi.advanceTimersByTime(1000);
    return 0;
  });
  const printed = printedTo('stderr');
  const stopping = new AbortController();
  const whole = await waitForSample(stage.parts, stopping.signal);
  expect(printed()).toMatch(ON_ITS_WAY);
  const waited = whole();
  stopping.abort();
  expect(await waited).toBe('stopped');
});

test('what moves is waited for, however long it takes', async () => {
  let left = 1000;
  const stopping = new AbortController();
  await using stage = await waiting(() => {
    // Of many partitions.
    vi.advanceTimersByTime(100);
    left -= 1;
    if (left <= 0) stopping.abort();
    return Math.max(0, left);
  });
  const printed = printedTo('stderr');
  await waitForSample(stage.parts, stopping.signal);
  expect(left).toBeLessThanOrEqual(0);
  expect(printed()).not.toMatch(ON_ITS_WAY);
});

test('an index that is being filled is not waited for without an end', async () => {
  await using parts = await openParts({ CATALOG_DATA: temporaryFolder() });
  await ensureTopics(parts);
  await parts.documents.declare(FEED_LEASES);
  const filling = {
    owner: 'f',
    until: 0,
    behind_since: null,
    trouble: null,
    seal: null,
    content_version: null,
  };
  await putDocument(parts.documents, FEED_LEASES.name, LISTINGS, filling);
  const clock = {
    ...parts.clock,
    sleep: async () => {
      vi.advanceTimersByTime(1000);
      await nextTurn();
    },
  };
  const printed = printedTo('stderr');
  await waitForSample({ ...parts, clock }, new AbortController().signal);
  expect(printed()).toMatch(ON_ITS_WAY);
});
