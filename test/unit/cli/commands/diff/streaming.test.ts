import { join } from 'node:path';

import { expect, onTestFinished, test, vi } from 'vitest';

import { readAll } from '../../../../../src/cli/commands/diff/read-all.ts';
import { systemClock } from '../../../../../src/platform/clock.ts';
import { Stopped } from '../../../../../src/projecting/engine/retry.ts';
import { openSqliteDocuments } from '../../../../../src/stores/documents/sqlite.ts';
import type { Documents, Stored } from '../../../../../src/stores/documents/port.ts';
import { LISTINGS } from '../../../../support/collections.ts';
import { temporaryFolder } from '../../../../support/folder.ts';
import { overriding } from '../../../../support/overriding.ts';
import { SHADOW } from '../../../../support/two-builds.ts';

const BATCHES = 20;
const SIZE = 10;

/** Two builds of many batches in which every entry differs; told of each batch that is read. */
function manyBatches(onRead: (batch: number) => void): Documents {
  async function* scan(collection: string): AsyncGenerator<readonly Stored<unknown>[]> {
    for (let batch = 0; batch < BATCHES; batch += 1) {
      onRead(batch);
      yield Array.from({ length: SIZE }, (_, at) => {
        const id = `entry-${String(batch * SIZE + at).padStart(4, '0')}`;
        const view = { published: true, collection, score: { value: 50 } };
        return { id, version: collection, body: { registers: {}, view } };
      });
    }
  }
  const empty = openSqliteDocuments(join(temporaryFolder(), 'documents.db'));
  onTestFinished(() => empty[Symbol.asyncDispose]());
  // `scan` promises bodies of whatever type is asked for.
  return overriding(empty, { scan: scan as Documents['scan'] });
}

function listening(onLines: (lines: number) => void): void {
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    onLines(String(chunk).split('\n').length - 1);
    return true;
  });
  onTestFinished(() => spy.mockRestore());
}

function parts(documents: Documents, signal = new AbortController().signal) {
  return { documents, clock: systemClock, signal, before: LISTINGS, after: SHADOW, isWithRanks: true };
}

test('with --ndjson, what was found is printed before more is read', async () => {
  let written = 0;
  const writtenBefore: number[] = [];
  listening((lines) => {
    written += lines;
  });
  await readAll(parts(manyBatches(() => writtenBefore.push(written))), { top: 20, ndjson: true });
  const everyBatchTwice = Array.from({ length: BATCHES }, (_, batch) => [batch * SIZE, batch * SIZE]).flat();
  expect(writtenBefore).toEqual(everyBatchTwice);
  expect(written).toBe(BATCHES * SIZE);
});

test('one that is told to stop reads no further, and says that it was stopped', async () => {
  const stop = new AbortController();
  let read = 0;
  listening(() => undefined);
  const documents = manyBatches((batch) => {
    read = batch;
    if (batch === 3) stop.abort();
  });
  await expect(readAll(parts(documents, stop.signal), { top: 20 })).rejects.toThrow(Stopped);
  expect(read).toBe(3);
});
