import { setImmediate as nextTurn } from 'node:timers/promises';

import { expect, onTestFinished, test, vi } from 'vitest';

import { waitUntilServed } from '../../../src/cli/waiting.ts';
import { compose } from '../../../src/compose/parts.ts';
import { ensureTopics } from '../../../src/compose/projector.ts';
import { readConfig } from '../../../src/config.ts';
import { createLogger } from '../../../src/platform/logger.ts';
import { newVersion } from '../../../src/stores/documents/port.ts';
import { WORKERS, type Worker } from '../../../src/stores/workers.ts';
import { temporaryFolder } from '../../support/folder.ts';

/** What is said of an event that nobody projects, by a clock that runs ahead, until something is said or long after. */
async function said(waiter: 'projects' | 'asks', isProjected: boolean): Promise<string> {
  const config = readConfig({ CATALOG_DATA: temporaryFolder() });
  await using parts = await compose(config, 'test', { logger: createLogger('silent', 'test') });
  await ensureTopics(parts);
  if (isProjected) {
    const { documents } = parts;
    await documents.declare(WORKERS);
    const worker: Worker = { at: await documents.now(), where: 'here', ok: true, detail: '', lanes: {} };
    await documents.write(WORKERS.name, [{ id: 'w', read: null, version: newVersion(), body: worker }]);
  }
  let printed = '';
  const spy = vi
    .spyOn(process.stderr, 'write')
    .mockImplementation((text) => (printed += String(text)) !== '');
  onTestFinished(() => spy.mockRestore());
  let now = 0;
  let looks = 0;
  const stopping = new AbortController();
  const clock = {
    ...parts.clock,
    monotonic: () => (now += 1000),
    sleep: async () => {
      await nextTurn();
      looks += 1;
      if (looks > 100 || printed.includes('Still waiting')) stopping.abort();
    },
  };
  const places = [{ topic: 'catalog.entries', partition: 0, position: 99 }];
  await waitUntilServed({ ...parts, clock }, places, stopping.signal, waiter);
  spy.mockRestore();
  return printed;
}

test.each([
  ['asks', false, /Still waiting\. No projector is running: start one \(.+\)\. Ctrl-C stops waiting\.\n/],
  ['asks', true, /Still waiting\. A projector is running; .+ says how far it is\. Ctrl-C stops waiting\.\n/],
  // It is the projector itself.
  ['projects', false, /^(?!.*Still waiting)/s],
] as const)('who %s, where it is %s that somebody projects, is told what was looked up', async (...given) => {
  const [waiter, isProjected, expected] = given;
  expect(await said(waiter, isProjected)).toMatch(expected);
});
