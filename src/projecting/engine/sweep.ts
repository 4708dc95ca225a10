import { newVersion, type Documents, type Removal, type Write } from '../../stores/documents/port.ts';
import { collectionOf, type Projection, type ReadModelDocument } from './projection.ts';

/**
 * Removes what lies outside a read model's windows: whole documents, and parts of registers. Readers see no difference;
 * an old event that comes later is folded like any other, and swept again. Guarded like every write, so it may run
 * beside projectors and other sweeps: a document that changes meanwhile is left for the next sweep.
 */

export interface Swept {
  readonly trimmed: number;
  readonly removed: number;
}

export interface SweepParts {
  readonly documents: Documents;
  /** Aborting it ends the sweep after the batch in hand. */
  readonly signal: AbortSignal;
}

export async function sweepProjection(
  projection: Projection,
  { documents, signal }: SweepParts,
): Promise<Swept> {
  const collection = collectionOf(projection);
  const versions = new Map<string, string>();
  let trimmed = 0;
  for await (const batch of documents.scan<ReadModelDocument>(collection)) {
    if (signal.aborted) return { trimmed, removed: 0 };
    const writes: Write<ReadModelDocument>[] = [];
    for (const { id, version, body } of batch) {
      if (projection.outside) versions.set(id, version);
      const registers = projection.trim(body.registers);
      if (registers === body.registers) continue;
      writes.push({ id, read: version, version: newVersion(), body: { ...body, registers } });
    }
    if (writes.length > 0) trimmed += done(await documents.write(collection, writes));
  }
  const removals = outsideOf(projection, versions.keys()).map((id): Removal => ({
    id,
    read: versions.get(id) ?? '',
  }));
  const removed = removals.length > 0 ? done(await documents.remove(collection, removals)) : 0;
  return { trimmed, removed };
}

/** The ids of those documents that lie outside the read model's windows as a whole, given the ids of all. */
export function outsideOf(projection: Projection, ids: Iterable<string>): readonly string[] {
  return [...(projection.outside?.([...ids]) ?? [])];
}

function done(outcomes: readonly string[]): number {
  return outcomes.filter((outcome) => outcome === 'done').length;
}
