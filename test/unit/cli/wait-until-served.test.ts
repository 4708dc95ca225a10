import { setImmediate as nextTurn } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { remarkStandstill, waitUntilServed } from '../../../src/cli/wait-until-served.ts';
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
