import { setImmediate as nextTurn } from 'node:timers/promises';

import { chunks } from '../../platform/chunks.ts';
import { type Stored, type Version, type Write } from '../../stores/documents/port.ts';
import type { ReadModelDocument } from './projection.ts';
import { writeDocuments, type WritingOptions } from './write-documents.ts';

export interface ChangingOptions extends WritingOptions {
  /** Called between two pieces of work, so that others have their turn. Default: one turn of the event loop. */
  readonly breathe?: () => Promise<void>;
}

/** What becomes of a document; null where it stays as it is. May be called again, with what somebody else wrote meanwhile. */
export type Change = (
  id: string,
  stored: Stored<ReadModelDocument> | undefined,
) => Write<ReadModelDocument> | null;

/** How many times a document is read and changed again at once; after that with a pause before each time. */
const PROMPT_ATTEMPTS = 5;
/** So many documents at a time: a transaction of all of them would hold up others that write. */
const AT_ONCE = 1000;
/** After so many documents other lanes, health checks and leases of this thread have their turn. */
const TURN = 200;

/**
 * Changes documents: one read and one guarded write for each. A conflict is read and changed again; so is a document that
 * stays as it is, where what was read may still be taken back by a failover. Resolves when every effect is durable, with
 * the documents that the store refuses for good, by id.
 */
export async function changeDocuments(
  collection: string,
  ids: Iterable<string>,
  change: Change,
  options: ChangingOptions,
): Promise<ReadonlyMap<string, Error>> {
  const { breathe = () => nextTurn() } = options;
  const refused = new Map<string, Error>();
  // In the order in which other lanes write them, too: stores then find neighbours beside each other.
  for (const [at, some] of [...chunks([...ids].sort(), AT_ONCE)].entries()) {
    if (at > 0) await breathe();
    await changeSome(collection, some, change, options, refused);
  }
  return refused;
}

async function changeSome(
  collection: string,
  ids: readonly string[],
  change: Change,
  options: WritingOptions,
  refused: Map<string, Error>,
): Promise<void> {
  const { documents, retry, pause } = options;
  let pending = ids;
  for (let attempt = 1; pending.length > 0; attempt += 1) {
    if (attempt > PROMPT_ATTEMPTS) await pause(attempt - PROMPT_ATTEMPTS);
    const stored = await retry('reading documents', () =>
      documents.get<ReadModelDocument>(collection, pending),
    );
    const writes: Write<ReadModelDocument>[] = [];
    /** Documents that stay as they are, with the version that was read. */
    const untouched = new Map<string, Version | null>();
    for (const [index, id] of pending.entries()) {
      if (index % TURN === TURN - 1) await nextTurn();
      const write = change(id, stored.get(id));
      if (write) writes.push(write);
      else untouched.set(id, stored.get(id)?.version ?? null);
    }
    const conflicts: string[] = [];
    const written = writes.length > 0 ? await writeDocuments(collection, writes, options) : [];
    for (const [id, outcome] of written) {
      if (outcome === 'conflict') conflicts.push(id);
      else if (outcome !== 'done') refused.set(id, outcome.refused);
    }
    const unsteady = await notDurable(collection, untouched, options);
    pending = [...conflicts, ...unsteady];
    // What a majority does not have yet is a matter of milliseconds, and of a pause.
    if (unsteady.length > 0) await pause(attempt);
  }
}

/** Those that a majority holds in another version than the one that was read: nothing was written on top of it, so no guard would tell. */
async function notDurable(
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
