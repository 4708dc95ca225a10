import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { announceRendering, renderingSaid } from '../../../src/compose/rendering.ts';
import { RetryableError } from '../../../src/platform/errors.ts';
import { openSqliteDocuments } from '../../../src/stores/documents/sqlite.ts';
import { RENDERERS, type Renderer } from '../../../src/stores/renderers.ts';
import { readWords } from '../../../src/stores/words.ts';
import { captureLog } from '../../support/captured-log.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { overriding } from '../../support/overriding.ts';
import { createTestClock } from '../../support/test-clock.ts';

const RENDERS = { listings: [2] };

/** A process that says what it can serve, on documents that count what it has written itself. */
async function announcing() {
  const clock = createTestClock();
  clock.jump(1_000_000);
  const documents = openSqliteDocuments(join(temporaryFolder(), 'documents.db'), { clock });
  onTestFinished(() => documents[Symbol.asyncDispose]());
  let writes = 0;
  const own = overriding(documents, {
    write: async (...given) => ((writes += 1), await documents.write(...given)),
  });
  const log = captureLog();
  const rendering = await announceRendering({ documents: own, clock, logger: log.logger }, RENDERS);
  return {
    documents,
    rendering,
    said: log.said,
    writes: () => writes,
    words: async () => [...(await readWords<Renderer>(documents, RENDERERS)).values()],
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

test('another thread can say it: the same word under the same name, taken back by the one that began', async () => {
  const { documents, rendering, words, writes, turn } = await announcing();
  const before = [await words(), writes()] as const;
  rendering.sayThrough(renderingSaid(documents));
  for (const at of [1_003_000, 1_006_000]) {
    await turn();
    await expect.poll(words).toEqual(before[0].map((word) => ({ ...word, at })));
  }
  expect(writes()).toBe(before[1]);
  await rendering[Symbol.asyncDispose]();
  expect(await words()).toEqual([]);
});

test('where the other thread cannot say it, that is logged once, and made good by the next turn', async () => {
  const { documents, rendering, said, words, turn } = await announcing();
  let tries = 0;
  const say = renderingSaid(documents);
  rendering.sayThrough(async (...given) => {
    tries += 1;
    if (tries < 3) throw new RetryableError('busy');
    await say(...given);
  });
  for (const turns of [1, 2, 3]) {
    await turn();
    await expect.poll(() => tries).toBe(turns);
  }
  await expect.poll(words).toMatchObject([{ at: 1_009_000 }]);
  expect(said()).toEqual(['warn: this process cannot say which builds it can serve']);
  await rendering[Symbol.asyncDispose]();
});
