import { setImmediate as nextTurn } from 'node:timers/promises';

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { waitForSample } from '../../../../../src/cli/commands/start/sample.ts';
import { ensureTopics } from '../../../../../src/compose/projector.ts';
import type { Parts } from '../../../../../src/compose/parts.ts';
import { FEED_LEASES } from '../../../../../src/stores/feed-lease.ts';
import { LISTINGS } from '../../../../support/collections.ts';
import { putDocument } from '../../../../support/documents.ts';
import { temporaryFolder } from '../../../../support/folder.ts';
import { openParts } from '../../../../support/parts.ts';
import { printedTo } from '../../../../support/printed-to.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const ON_ITS_WAY = /not everything is served yet: see ".*status"\.\n/;

async function publish({ log }: Parts): Promise<void> {
  await log.append([{ topic: 'catalog.entries', key: 'a', value: Buffer.from('{}'), headers: {} }]);
}

async function beginFilling({ documents }: Parts): Promise<void> {
  await documents.declare(FEED_LEASES);
  await putDocument(documents, FEED_LEASES.name, LISTINGS, { seal: null });
}

test.each([
  { what: 'an event that nobody projects', prepare: publish },
  { what: 'an index that is being filled', prepare: beginFilling },
])('start says that $what is not served yet, and goes on; what it returns waits on', async ({ prepare }) => {
  await using parts = await openParts({ CATALOG_DATA: temporaryFolder() });
  await ensureTopics(parts);
  await prepare(parts);
  const sleep = async (): Promise<void> => {
    vi.advanceTimersByTime(1000);
    await nextTurn();
  };
  const printed = printedTo('stderr');
  const stopping = new AbortController();
  const whole = await waitForSample({ ...parts, clock: { ...parts.clock, sleep } }, stopping.signal);
  expect(printed()).toMatch(ON_ITS_WAY);
  const waited = whole();
  stopping.abort();
  expect(await waited).toBe('stopped');
});

test('what moves is waited for, however long it takes', async () => {
  await using parts = await openParts({ CATALOG_DATA: temporaryFolder() });
  await ensureTopics(parts);
  await publish(parts);
  const stopping = new AbortController();
  let left = 100;
  const log = {
    ...parts.log,
    ends: async (topic: string) => {
      vi.advanceTimersByTime(1000);
      if ((left -= 1) === 0) stopping.abort();
      return (await parts.log.ends(topic)).map((ends) => ({ ...ends, earliest: -left }));
    },
  };
  const printed = printedTo('stderr');
  await waitForSample({ ...parts, log, clock: { ...parts.clock, sleep: () => nextTurn() } }, stopping.signal);
  expect(left).toBeLessThanOrEqual(0);
  expect(printed()).not.toMatch(ON_ITS_WAY);
});
