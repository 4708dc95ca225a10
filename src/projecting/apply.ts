import { setImmediate as nextTurn } from 'node:timers/promises';

import type { CatalogEvent } from '../events/event.ts';
import { PermanentError } from '../platform/errors.ts';
import {
  newVersion,
  type Documents,
  type Outcome,
  type Stored,
  type Write,
} from '../stores/documents/port.ts';
import { foldDocument, type Effect } from './fold.ts';
import { markAfter, withMark } from './marking.ts';
import { collectionOf, type Projection, type ReadModelDocument } from './projection.ts';
import type { Retry } from './retry.ts';

/** What became of an event; `ignored` is one that belongs to no document of the projection. */
export type Applied = Effect | { readonly kind: 'ignored' };

/** How many times a document is read and folded again at once; after that with a pause before each time. */
const PROMPT_ATTEMPTS = 5;

/** After so many documents other lanes, health checks and leases of this thread have their turn. */
const TURN = 200;

export interface ApplyOptions {
  readonly documents: Documents;
  readonly retry: Retry;
  readonly pause: (attempt: number) => Promise<void>;
}

/**
 * Folds events into their documents: one read for all documents, one guarded write for each that changes. A conflict
 * is read again and folded again. Resolves when every effect is durable; the effects stand in the order of the events.
 */
export async function applyEvents(
  projection: Projection,
  events: readonly CatalogEvent[],
  { documents, retry, pause }: ApplyOptions,
): Promise<readonly Applied[]> {
  const applied: Applied[] = events.map(() => ({ kind: 'ignored' }));
  const pending = groupByDocument(projection, events, applied);
  const collection = collectionOf(projection);
  for (let attempt = 1; pending.size > 0; attempt += 1) {
    if (attempt > PROMPT_ATTEMPTS) await pause(attempt - PROMPT_ATTEMPTS);
    const stored = await retry('reading documents', () =>
      documents.get<ReadModelDocument>(collection, [...pending.keys()]),
    );
    const writes: Write<ReadModelDocument>[] = [];
    let folded = 0;
    for (const [id, indexes] of pending) {
      folded += 1;
      if (folded % TURN === 0) await nextTurn();
      const write = foldInto(projection, id, stored.get(id), indexes, events, applied);
      if (write) writes.push(write);
      else pending.delete(id);
    }
    if (writes.length === 0) continue;
    // The same writes, with the same tokens, at every repetition: a lost answer is then told from a conflict.
    const write = async (some: readonly Write<ReadModelDocument>[]): Promise<readonly Outcome[]> =>
      retry('writing documents', () => documents.write(collection, some));
    for (const [id, outcome] of await writeEach(writes, write)) {
      if (outcome === 'conflict') continue;
      if (outcome !== 'done') fail(pending.get(id) ?? [], outcome.refused, applied);
      pending.delete(id);
    }
  }
  return applied;
}

type Written = readonly [id: string, Outcome | { readonly refused: PermanentError }];

/**
 * Writes all at once. Where the store refuses them for good (a document too large, say), one by one, so that the others
 * go on. A store that refuses every one of several is itself the fault.
 */
async function writeEach(
  writes: readonly Write<ReadModelDocument>[],
  write: (some: readonly Write<ReadModelDocument>[]) => Promise<readonly Outcome[]>,
): Promise<readonly Written[]> {
  try {
    const outcomes = await write(writes);
    return writes.map(({ id }, index) => [id, outcomes[index] ?? 'conflict']);
  } catch (thrown) {
    if (!(thrown instanceof PermanentError)) throw thrown;
  }
  const written: Written[] = [];
  let refusals = 0;
  for (const one of writes) {
    try {
      const [outcome = 'conflict'] = await write([one]);
      written.push([one.id, outcome]);
    } catch (thrown) {
      if (!(thrown instanceof PermanentError)) throw thrown;
      refusals += 1;
      if (refusals === writes.length && refusals > 1) throw thrown;
      written.push([one.id, { refused: thrown }]);
    }
  }
  return written;
}

function fail(indexes: readonly number[], error: unknown, applied: Applied[]): void {
  for (const index of indexes) applied[index] = { kind: 'failed', error };
}

function groupByDocument(
  projection: Projection,
  events: readonly CatalogEvent[],
  applied: Applied[],
): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  for (const [index, event] of events.entries()) {
    try {
      const id = projection.documentId(event);
      if (id === null) continue;
      const group = groups.get(id);
      if (group) group.push(index);
      else groups.set(id, [index]);
    } catch (error) {
      applied[index] = { kind: 'failed', error };
    }
  }
  return groups;
}

function foldInto(
  projection: Projection,
  id: string,
  stored: Stored<ReadModelDocument> | undefined,
  indexes: readonly number[],
  events: readonly CatalogEvent[],
  applied: Applied[],
): Write<ReadModelDocument> | null {
  const before = stored ? stored.body.registers : projection.registers.empty;
  const folded = foldDocument(
    projection,
    id,
    before,
    indexes.map((index) => events[index] as CatalogEvent),
  );
  for (const [place, index] of indexes.entries()) applied[index] = folded.effects[place] as Effect;
  if (!folded.shown) return null;
  const { view, entry } = folded.shown;
  const dirty = markAfter(projection, id, stored?.body, entry);
  return {
    id,
    read: stored?.version ?? null,
    version: newVersion(),
    body: withMark({ registers: folded.registers, view }, dirty),
  };
}
