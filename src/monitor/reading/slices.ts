import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Does something with a long list in slices, one after the other, with a turn of the event loop between them: an
 * embedded store is synchronous, and what it reads at once nobody else can interrupt.
 */
export async function inSlices<T, Result>(
  list: readonly T[],
  size: number,
  work: (slice: readonly T[]) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < list.length; start += size) {
    if (start > 0) await nextTurn();
    results.push(await work(list.slice(start, start + size)));
  }
  return results;
}
