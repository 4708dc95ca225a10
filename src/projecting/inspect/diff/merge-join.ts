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
): AsyncGenerator<readonly Pair<Body>[]> {
  await using left = openSide(before);
  await using right = openSide(after);
  for (;;) {
    await left.fill();
    await right.fill();
    const pairs: Pair<Body>[] = [];
    // Until one side has to be filled again: what it has next may come before anything that the other one holds.
    for (;;) {
      const pair = nextPair(left, right);
      if (pair === null) break;
      pairs.push(pair);
    }
    if (pairs.length === 0) return;
    yield pairs;
  }
}

function nextPair<Body>(left: Side<Body>, right: Side<Body>): Pair<Body> | null {
  const [before, after] = [left.peek(), right.peek()];
  if ((before === null && !left.isDone()) || (after === null && !right.isDone())) return null;
  if (before === null && after === null) return null;
  const order = before === null ? 1 : after === null ? -1 : byUtf8(before.id, after.id);
  if (order <= 0) left.take();
  if (order >= 0) right.take();
  const id = (order <= 0 ? before?.id : after?.id) ?? '';
  return { id, before: order <= 0 ? before : null, after: order >= 0 ? after : null };
}

interface Side<Body> extends AsyncDisposable {
  /** Reads on where nothing is left of the last batch. */
  fill(): Promise<void>;
  /** The next document; null where the batch has ended. */
  peek(): Stored<Body> | null;
  take(): void;
  isDone(): boolean;
}

function openSide<Body>(scan: Scan<Body>): Side<Body> {
  const batches = scan[Symbol.asyncIterator]();
  let batch: readonly Stored<Body>[] = [];
  let at = 0;
  let isDone = false;
  return {
    fill: async () => {
      while (at === batch.length && !isDone) {
        const next = await batches.next();
        isDone = next.done === true;
        batch = next.done ? [] : next.value;
        at = 0;
      }
    },
    peek: () => batch[at] ?? null,
    take: () => {
      at += 1;
    },
    isDone: () => isDone,
    [Symbol.asyncDispose]: async () => {
      await batches.return?.();
    },
  };
}

/** UTF-16, in which JavaScript compares, orders what lies beyond the first plane otherwise. */
function byUtf8(a: string, b: string): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}
