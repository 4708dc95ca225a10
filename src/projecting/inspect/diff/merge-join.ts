import type { Stored } from '../../../stores/documents/port.ts';

/** The two documents of one id; null on the side that has none. */
export interface Pair<Body> {
  readonly id: string;
  readonly before: Stored<Body> | null;
  readonly after: Stored<Body> | null;
}

type Scan<Body> = AsyncIterable<readonly Stored<Body>[]>;

/**
 * Two scans side by side, by id ascending: each id once, with what either side has of it. Both have to come in the order
 * that `Documents.scan` promises, which is that of UTF-8 bytes. Holds a batch of either side, and no more.
 */
export async function* mergeById<Body>(
  before: Scan<Body>,
  after: Scan<Body>,
): AsyncGenerator<Pair<Body>, void> {
  await using left = documentsOf(before);
  await using right = documentsOf(after);
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

async function* documentsOf<Body>(scan: Scan<Body>): AsyncGenerator<Stored<Body>, void> {
  for await (const batch of scan) yield* batch;
}

async function next<Item>(items: AsyncGenerator<Item, void>): Promise<Item | null> {
  return (await items.next()).value ?? null;
}

/** UTF-16, in which JavaScript compares, orders what lies beyond the first plane otherwise. */
function byUtf8(a: string, b: string): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}
