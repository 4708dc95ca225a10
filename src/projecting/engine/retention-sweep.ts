import { repeat } from '../../platform/time/repeat.ts';
import { newVersion, type Documents, type Removal, type Write } from '../../stores/documents/port.ts';
import type { LaneParts } from './lane-context.ts';
import { collectionOf, type Projection, type ReadModelDocument } from './projection.ts';

/**
 * Removes what lies outside a read model's windows: whole documents, and parts of registers. Readers see no difference;
 * an old event that comes later is folded like any other, and swept again. Guarded like every write, so it may run
 * beside projectors and other sweeps: a document that changes meanwhile is left for the next sweep.
 */

/** @param parts aborting the signal ends the sweep after the batch in hand. */
export async function sweepProjection(
  projection: Projection,
  { documents, signal }: { readonly documents: Documents; readonly signal: AbortSignal },
): Promise<{ readonly trimmed: number; readonly removed: number }> {
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

interface SweeperParts extends Pick<LaneParts, 'documents' | 'clock' | 'logger' | 'random'> {
  readonly projections: readonly Projection[];
}

const HOUR_MS = 3_600_000;

/**
 * Sweeps every read model about once an hour until it is disposed. Several processes may do so at once: what one has
 * swept is nothing for the other. A failed sweep is logged, and made good by the next one.
 */
export function startSweeper(parts: SweeperParts): AsyncDisposable {
  const { documents, projections, clock, logger, random = Math.random } = parts;
  // Neither at once, when there is a backlog to fold, nor at the same moment in every process.
  return repeat(clock, HOUR_MS * (0.5 + random()), async (signal) => {
    for (const projection of projections) {
      if (signal.aborted) return;
      const readModel = collectionOf(projection);
      try {
        const swept = await sweepProjection(projection, { documents, signal });
        logger.debug({ readModel, ...swept }, 'swept');
      } catch (thrown) {
        logger.warn({ err: thrown, readModel }, 'the sweep failed; the next one makes it good');
      }
    }
  });
}
