import { expect, test } from 'vitest';

import { startRendererHeartbeat } from '../../../src/compose/api.ts';
import { RetryableError } from '../../../src/platform/errors.ts';
import { RENDERERS, type Renderer } from '../../../src/stores/serving-processes.ts';
import { readHeartbeats } from '../../../src/stores/heartbeats.ts';
import { captureLog } from '../../support/captured-log.ts';
import { overriding } from '../../support/overriding.ts';
import { createTestClock } from '../../support/test-clock.ts';
import { openDocuments } from '../../support/documents.ts';

const RENDERS = { listings: [2] };

/** A process that says what it can serve, on documents that take its writes but for some. */
async function announcing() {
  const clock = createTestClock();
  clock.jump(1_000_000);
  const documents = openDocuments({ clock });
  let [tries, failures] = [0, 0];
  const own = overriding(documents, {
    write: async (...given) => {
      tries += 1;
      if (failures-- > 0) throw new RetryableError('busy');
      return await documents.write(...given);
    },
  });
  const log = captureLog();
  const rendering = await startRendererHeartbeat({ documents: own, clock, logger: log.logger }, RENDERS);
  return {
    rendering,
    said: log.said,
    tries: () => tries,
    /** The next writes fail. */
    fail: (times: number) => void (failures = times),
    words: async () => [...(await readHeartbeats<Renderer>(documents, RENDERERS)).values()],
    turn: async () => {
      await clock.sleeping(3000);
      clock.advance(3000);
    },
  };
}

test('what a process can serve is said again every three seconds, and taken back when it leaves', async () => {
  const { rendering, words, turn } = await announcing();
  expect(await words()).toMatchObject([{ at: 1_000_000, renders: RENDERS }]);
  await turn();
  await expect.poll(words).toMatchObject([{ at: 1_003_000, renders: RENDERS }]);
  await rendering[Symbol.asyncDispose]();
  expect(await words()).toEqual([]);
});

test('where it cannot be said, that is logged once, and made good by the next turn', async () => {
  const { rendering, fail, tries, said, words, turn } = await announcing();
  fail(2);
  const before = tries();
  for (const turns of [1, 2, 3]) {
    await turn();
    await expect.poll(tries).toBe(before + turns);
  }
  await expect.poll(words).toMatchObject([{ at: 1_009_000 }]);
  expect(said()).toEqual(['warn: this process cannot say that it is there']);
  await rendering[Symbol.asyncDispose]();
});
