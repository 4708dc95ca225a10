import { setImmediate as nextTurn } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { remarkStandstill, waitUntilServed, watchStandstill } from '../../../src/cli/wait-until-served.ts';
import { ensureTopics } from '../../../src/compose/projector.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { openParts } from '../../support/parts.ts';
import { printedTo } from '../../support/printed-to.ts';

/** What is said of an event that nobody projects, by a clock that runs ahead, until something is said or long after. */
async function said(isProjector: boolean): Promise<string> {
  await using parts = await openParts({ CATALOG_DATA: temporaryFolder() });
  await ensureTopics(parts);
  const printed = printedTo('stderr');
  let now = 0;
  let looks = 0;
  const stopping = new AbortController();
  const clock = {
    ...parts.clock,
    monotonic: () => (now += 1000),
    sleep: async () => {
      await nextTurn();
      looks += 1;
      if (looks > 100 || printed().includes('Still waiting')) stopping.abort();
    },
  };
  const places = [{ topic: 'catalog.entries', partition: 0, position: 99 }];
  const silent = (): void => undefined;
  const onProgress = isProjector ? silent : remarkStandstill({ clock }, silent);
  await waitUntilServed({ ...parts, clock }, places, stopping.signal, { onProgress });
  return printed();
}

test('who waits for a projector is told where to look; who is one is not', async () => {
  expect(await said(false)).toMatch(
    /Still waiting\. .+ says why; where no projector is running, start one .+ Ctrl-C stops waiting\.\n/,
  );
  expect(await said(true)).toBe('');
});

test('what moves is no standstill, however long it takes; a standstill is told once', () => {
  let now = 0;
  let told = 0;
  const clock = { monotonic: () => now };
  const onProgress = watchStandstill(
    clock,
    1000,
    () => undefined,
    () => (told += 1),
  );
  for (let done = 0; done < 100; done += 1) {
    now += 900;
    onProgress('events projected', done, 100);
  }
  expect(told).toBe(0);
  for (let look = 0; look < 3; look += 1) {
    now += 900;
    onProgress('events projected', 99, 100);
  }
  expect(told).toBe(1);
});
