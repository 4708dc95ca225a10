import { setImmediate as nextTurn } from 'node:timers/promises';

import type { CatalogEvent } from '../../events/event.ts';
import { newVersion, type Stored, type Version, type Write } from '../../stores/documents/port.ts';
import { foldDocument, type Effect } from './fold.ts';
import { isLeap, type Leap, revisionIn } from './leap.ts';
import { markAfter, withMark } from './outbox.ts';
import { collectionOf, type Projection, type ReadModelDocument } from './projection.ts';
import { writeDocuments, type WritingOptions } from './write-documents.ts';

/** What became of an event; `ignored` is one that belongs to no document of the projection. */
export type Applied = Effect | { readonly kind: 'ignored' };

/** How many times a document is read and folded again at once; after that with a pause before each time. */
export const PROMPT_ATTEMPTS = 5;

/** After so many documents other lanes, health checks and leases of this thread have their turn. */
const TURN = 200;

/**
 * Folds events into their documents: one read for all documents, one guarded write for each that changes. A conflict
 * is read again and folded again; so is a document to which the events add nothing, where what was read may still be
 * taken back by a failover. Resolves when every effect is durable; the effects stand in the order of the events.
 */
export async function applyEvents(
  projection: Projection,
  events: readonly CatalogEvent[],
  options: WritingOptions & { readonly onLeap?: (document: string, leap: Leap) => void },
): Promise<readonly Applied[]> {
  const { documents, retry, pause } = options;
  const applied: Applied[] = events.map(() => ({ kind: 'ignored' }));
  const groups = groupByDocument(projection, events, applied);
  const collection = collectionOf(projection);
  let pending: ReadonlySet<string> = new Set(groups.keys());
  for (let attempt = 1; pending.size > 0; attempt += 1) {
    if (attempt > PROMPT_ATTEMPTS) await pause(attempt - PROMPT_ATTEMPTS);
    const stored = await retry('reading documents', () =>
      documents.get<ReadModelDocument>(collection, [...pending]),
    );
    const writes: Write<ReadModelDocument>[] = [];
    /** Documents that stay as they are, with the version that was read. */
    const untouched = new Map<string, Version | null>();
    let folded = 0;
    for (const id of pending) {
      folded += 1;
      if (folded % TURN === 0) await nextTurn();
      const write = foldInto(projection, id, stored.get(id), groups.get(id) ?? [], events, applied);
      if (write) {
        writes.push(write);
        const leap = {
          from: revisionIn(stored.get(id)?.body.registers),
          to: revisionIn(write.body.registers),
        };
        if (isLeap(leap)) options.onLeap?.(id, leap);
      } else untouched.set(id, stored.get(id)?.version ?? null);
    }
    const conflicts = await writeAll(collection, writes, options, (id, refused) =>
      fail(groups.get(id) ?? [], refused, applied),
    );
    const unsteady = await notDurable(collection, untouched, options);
    pending = new Set([...conflicts, ...unsteady]);
    // What a majority does not have yet is a matter of milliseconds, and of a pause.
    if (unsteady.length > 0) await pause(attempt);
  }
  return applied;
}

/** Returns the documents that are in conflict. */
async function writeAll(
  collection: string,
  writes: readonly Write<ReadModelDocument>[],
  options: WritingOptions,
  refuse: (id: string, error: Error) => void,
): Promise<readonly string[]> {
  if (writes.length === 0) return [];
  const conflicts: string[] = [];
  for (const [id, outcome] of await writeDocuments(collection, writes, options)) {
    if (outcome === 'conflict') conflicts.push(id);
    else if (outcome !== 'done') refuse(id, outcome.refused);
  }
  return conflicts;
}

/** Those that a majority holds in another version than the one that was read: nothing was written on top of it, so no guard would tell. */
export async function notDurable(
  collection: string,
  read: ReadonlyMap<string, Version | null>,
  { documents, retry }: WritingOptions,
): Promise<readonly string[]> {
  if (read.size === 0) return [];
  const ids = [...read.keys()];
  const held = await retry('confirming documents', () =>
    documents.versions(collection, ids, { durable: true }),
  );
  return ids.filter((id) => (held.get(id) ?? null) !== read.get(id));
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
  const { view } = folded.shown;
  const dirty = markAfter(projection, id, stored?.body, view);
  return {
    id,
    read: stored?.version ?? null,
    version: newVersion(),
    body: withMark({ registers: folded.registers, view }, dirty),
  };
}
