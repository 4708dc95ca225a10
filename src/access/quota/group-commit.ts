import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Work for many at once: what is asked for while a batch is under way is in the next one. One batch at a time. What is
 * returned asks for it, and resolves when a batch that began after this has worked on the item. @throws what that batch did.
 */
export function createGroupCommit<Item>(work: (batch: readonly Item[]) => Promise<void>) {
  let waiting = new Set<Item>();
  let next: Promise<void> | null = null;
  let last: Promise<void> = Promise.resolve();

  return function commit(item: Item): Promise<void> {
    waiting.add(item);
    if (next === null) {
      next = run(last);
      last = next.catch(() => undefined);
    }
    return next;
  };

  async function run(before: Promise<void>): Promise<void> {
    // Not at once, so that what arrives in this turn of the event loop goes into the same batch.
    await nextTurn();
    await before;
    const batch = [...waiting];
    [waiting, next] = [new Set(), null];
    await work(batch);
  }
}
