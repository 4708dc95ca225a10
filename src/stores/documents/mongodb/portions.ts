import type { Change } from './changes.ts';

/** What one bulk write carries at most; MongoDB takes 100,000 operations and 48 MB. */
const OPERATIONS = 1000;
const BYTES = 8 * 1024 * 1024;

/**
 * Changes in portions, made when they are asked for. Sorted by id: bulk writes that overlap then lock their documents in
 * one order, and none waits for another in a circle.
 */
export function* portions<Item extends { readonly id: string }>(
  items: readonly Item[],
  changeOf: (item: Item) => Change,
): Generator<readonly Change[]> {
  let portion: Change[] = [];
  let bytes = 0;
  for (const item of items.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const change = changeOf(item);
    if (portion.length === OPERATIONS || (portion.length > 0 && bytes + change.bytes > BYTES)) {
      yield portion;
      portion = [];
      bytes = 0;
    }
    portion.push(change);
    bytes += change.bytes;
  }
  if (portion.length > 0) yield portion;
}
