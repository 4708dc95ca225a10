interface Identified {
  readonly id: string;
}

/** What two lists have of one id; null on the side that has nothing. */
export interface MergedById<Before, After = Before> {
  readonly id: string;
  readonly before: Before | null;
  readonly after: After | null;
}

/**
 * Two lists side by side, by id ascending: each id once, with what either has of it. Both have to come in batches, in the
 * order that `Documents.scan` promises, which is that of UTF-8 bytes. Holds a batch of either side, and no more.
 */
export async function* mergeById<Before extends Identified, After extends Identified>(
  before: AsyncIterable<readonly Before[]>,
  after: AsyncIterable<readonly After[]>,
): AsyncGenerator<MergedById<Before, After>, void> {
  await using left = itemsOf(before);
  await using right = itemsOf(after);
  let [old, fresh] = [await next(left), await next(right)];
  for (;;) {
    const order = old === null ? 1 : fresh === null ? -1 : byUtf8(old.id, fresh.id);
    const id = order <= 0 ? old?.id : fresh?.id;
    if (id === undefined) return;
    yield { id, before: order <= 0 ? old : null, after: order >= 0 ? fresh : null };
    if (order <= 0) old = await next(left);
    if (order >= 0) fresh = await next(right);
  }
}

async function* itemsOf<Item>(batches: AsyncIterable<readonly Item[]>): AsyncGenerator<Item, void> {
  for await (const batch of batches) yield* batch;
}

async function next<Item>(items: AsyncGenerator<Item, void>): Promise<Item | null> {
  return (await items.next()).value ?? null;
}

/** UTF-16, in which JavaScript compares, orders what lies beyond the first plane otherwise. */
function byUtf8(a: string, b: string): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}
