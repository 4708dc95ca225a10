import { setImmediate as nextTurn } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { waitForSample } from '../../../../../src/cli/commands/start/sample.ts';
import { ensureTopics } from '../../../../../src/compose/projector.ts';
import { temporaryFolder } from '../../../../support/folder.ts';
import { openParts } from '../../../../support/parts.ts';
import { printedTo } from '../../../../support/printed-to.ts';

test('where nothing of the sample moves, start says so and goes on; what it returns waits on', async () => {
  let now = 0;
  await using parts = await openParts({ CATALOG_DATA: temporaryFolder() });
  const clock = { ...parts.clock, monotonic: () => (now += 10_000), sleep: async () => await nextTurn() };
  await ensureTopics(parts);
  await parts.log.append([{ topic: 'catalog.entries', key: 'a', value: Buffer.from('{}'), headers: {} }]);
  const printed = printedTo('stderr');
  const stopping = new AbortController();
  const whole = await waitForSample({ ...parts, clock }, stopping.signal);
  expect(printed()).toMatch(/not everything is served yet: see ".*status"\.\n/);
  const waited = whole();
  stopping.abort();
  expect(await waited).toBe('stopped');
});
