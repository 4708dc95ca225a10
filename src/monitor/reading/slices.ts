import { setImmediate as nextTurn } from 'node:timers/promises';

import { chunks } from '../../platform/chunks.ts';

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
  for (const slice of chunks(list, size)) {
    if (results.length > 0) await nextTurn();
    results.push(await work(slice));
  }
  return results;
}
