import { chunks } from '../../platform/chunks.ts';
import { newVersion, type Stored, type Version, type Write } from '../../stores/documents/port.ts';
import { notDurable, PROMPT_ATTEMPTS } from './apply.ts';
import { markAfter, withMark } from './outbox.ts';
import { collectionOf, type Projection, type ReadModelDocument } from './projection.ts';
import { writeDocuments, type WritingOptions } from './write-documents.ts';

/** A document that cannot be shown, or that the store refuses: some event is to blame, and which one is not known here. */
export class Unwritable extends Error {
  override readonly name = 'Unwritable';
}

/** So many documents at a time: a transaction of all of them would hold up others that write. */
const AT_ONCE = 1000;

/**
 * Joins registers to documents: one read and one guarded write for each. A conflict is read again and joined again. Resolves
 * when every effect is durable.
 * @throws {Unwritable} the others of the batch may have been written: joining them again changes nothing.
 */
export async function joinDocuments(
  projection: Projection,
  added: ReadonlyMap<string, unknown>,
  options: WritingOptions & { readonly breathe: () => Promise<void> },
): Promise<void> {
  // In the order in which other lanes write them, too: stores then find neighbours beside each other.
  for (const ids of chunks([...added.keys()].sort(), AT_ONCE)) {
    await joinSome(projection, ids, added, options);
    await options.breathe();
  }
}

async function joinSome(
  projection: Projection,
  ids: readonly string[],
  added: ReadonlyMap<string, unknown>,
  options: WritingOptions,
): Promise<void> {
  const { documents, retry, pause } = options;
  const collection = collectionOf(projection);
  let pending = ids;
  for (let attempt = 1; pending.length > 0; attempt += 1) {
    if (attempt > PROMPT_ATTEMPTS) await pause(attempt - PROMPT_ATTEMPTS);
    const stored = await retry('reading documents', () =>
      documents.get<ReadModelDocument>(collection, pending),
    );
    const writes: Write<ReadModelDocument>[] = [];
    /** Documents that stay as they are, with the version that was read. */
    const untouched = new Map<string, Version | null>();
    for (const id of pending) {
      const write = joinInto(projection, id, stored.get(id), added.get(id));
      if (write) writes.push(write);
      else untouched.set(id, stored.get(id)?.version ?? null);
    }
    const conflicts: string[] = [];
    const written = writes.length > 0 ? await writeDocuments(collection, writes, options) : [];
    for (const [id, outcome] of written) {
      if (outcome === 'conflict') conflicts.push(id);
      else if (outcome !== 'done') throw new Unwritable(id, { cause: outcome.refused });
    }
    const unsteady = await notDurable(collection, untouched, options);
    pending = [...conflicts, ...unsteady];
    if (unsteady.length > 0) await pause(attempt);
  }
}

function joinInto(
  projection: Projection,
  id: string,
  stored: Stored<ReadModelDocument> | undefined,
  added: unknown,
): Write<ReadModelDocument> | null {
  const before = stored ? stored.body.registers : projection.registers.empty;
  const registers = projection.registers.join(before, added);
  if (registers === before) return null;
  try {
    const view = projection.view(id, registers);
    const mark = markAfter(projection, id, stored?.body, view);
    return {
      id,
      read: stored?.version ?? null,
      version: newVersion(),
      body: withMark({ registers, view }, mark),
    };
  } catch (thrown) {
    throw new Unwritable(id, { cause: thrown });
  }
}
