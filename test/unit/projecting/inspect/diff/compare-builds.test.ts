import { expect, test } from 'vitest';

import { StoppedError } from '../../../../../src/projecting/engine/retry.ts';
import { compareBuilds } from '../../../../../src/projecting/inspect/diff/compare-builds.ts';
import type { Documents, Stored } from '../../../../../src/stores/documents/port.ts';
import { LISTINGS } from '../../../../support/collections.ts';
import { overriding } from '../../../../support/overriding.ts';
import { SHADOW } from '../../../../support/two-builds.ts';
import { openDocuments } from '../../../../support/documents.ts';

const BATCHES = 20;
const SIZE = 10;

/** Two builds of many batches in which every entry differs; told of each batch that is read. */
function comparisonsOf(onRead: (batch: number) => void, signal = new AbortController().signal) {
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
  const empty = openDocuments();
  // `scan` promises bodies of whatever type is asked for.
  const documents = overriding(empty, { scan: scan as Documents['scan'] });
  return compareBuilds({ documents, signal, before: LISTINGS, after: SHADOW, paths: null, isRanked: true });
}

test('what was found is told before more is read', async () => {
  let told = 0;
  const toldBefore: number[] = [];
  for await (const { outcome } of comparisonsOf(() => toldBefore.push(told))) {
    expect(outcome).toBe('changed');
    told += 1;
  }
  expect(toldBefore).toEqual(
    Array.from({ length: BATCHES }, (_, batch) => [batch * SIZE, batch * SIZE]).flat(),
  );
});

test('one that is told to stop reads no further, and says that it was stopped', async () => {
  const stop = new AbortController();
  let read = 0;
  const comparisons = comparisonsOf((batch) => {
    read = batch;
    if (batch === 3) stop.abort();
  }, stop.signal);
  await expect(Array.fromAsync(comparisons)).rejects.toThrow(StoppedError);
  expect(read).toBe(3);
});
