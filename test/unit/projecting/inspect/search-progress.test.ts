import { describe, expect, test } from 'vitest';

import { readSearchProgress, waitForSearch } from '../../../../src/projecting/inspect/search-progress.ts';
import { SEARCHED_NOTES } from '../../../support/fake-projection.ts';
import { openFeedBench } from '../../../support/feed-bench.ts';
import { forEachTest } from '../../../support/for-each-test.ts';

const bench = forEachTest(openFeedBench);

function wait(signal: AbortSignal = new AbortController().signal, onProgress = (_left: number) => {}) {
  const { clock, documents } = bench;
  return waitForSearch(SEARCHED_NOTES, documents, { clock, signal, onProgress });
}

describe('waiting for search', () => {
  test('ends at once where nothing waits', async () => {
    expect(await wait()).toBe('reached');
  });

  test('ends when the index has been told of everything, and counts down to it', async () => {
    await bench.fold(['a', 1, 'one'], ['b', 1, 'one'], ['b', 2, null], ['c', 1, 'one']);
    const left: number[] = [];
    const waited = wait(undefined, (one) => left.push(one));
    await expect.poll(() => left.length).toBeGreaterThan(1);
    bench.feed();
    expect(await waited).toBe('reached');
    expect(left[0]).toBe(2);
    expect(left.at(-1)).toBe(0);
    expect(Object.keys(await bench.held())).toEqual(['a', 'c']);
  });

  test('does not wait for what newer events have changed meanwhile', async () => {
    await bench.fold(['a', 1, 'one']);
    const left: number[] = [];
    const waited = wait(undefined, (one) => left.push(one));
    await expect.poll(() => left.length).toBeGreaterThan(1);
    await bench.fold(['a', 2, 'two']);
    expect(await waited).toBe('reached');
  });

  test('goes on where a document is only written again, and stops when it is told to', async () => {
    await bench.fold(['a', 1, 'one']);
    const stopping = new AbortController();
    const left: number[] = [];
    const waited = wait(stopping.signal, (one) => left.push(one));
    await bench.fold(['a', 2, 'one']);
    await expect.poll(() => left.length).toBeGreaterThan(3);
    stopping.abort();
    expect(await waited).toBe('stopped');
  });
});

const progress = async () => readSearchProgress(SEARCHED_NOTES, bench.documents, await bench.documents.now());

test('progress tells what waits, what is refused, since when, and whether anybody works at it', async () => {
  await bench.documents.declare({ name: 'leases', indexes: [] });
  await bench.fold(['a', 1, 'one'], ['b', 1, 'one']);
  const nothing = { behind_ms: null, fed: false, filling: false, trouble: null };
  const before = { index: 'notes@1', waiting: 2, confirming: 0, refused: 0, ...nothing };
  expect(await progress()).toEqual(before);
  const feed = bench.feed();
  await bench.fed();
  await bench.fold(['b', 2, null]);
  await bench.fed();
  const after = { ...before, waiting: 0, confirming: 1, fed: true };
  await expect.poll(progress).toEqual(after);
  await feed[Symbol.asyncDispose]();
  expect(await progress()).toMatchObject({ fed: false });
});
