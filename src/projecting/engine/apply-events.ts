import type { CatalogEvent } from '../../events/event.ts';
import type { Stored, Write } from '../../stores/documents/port.ts';
import { changeDocuments, type ChangingOptions } from './change-documents.ts';
import { foldDocument, type Effect } from './fold.ts';
import { isLeap, type Leap, revisionIn } from './revision-leap.ts';
import { documentWrite } from './outbox-marks.ts';
import { collectionOf, type Projection, type ReadModelDocument } from './projection.ts';

/** What became of an event; `ignored` is one that belongs to no document of the projection. */
export type EventOutcome = Effect | { readonly kind: 'ignored' };

export interface ApplyingOptions extends ChangingOptions {
  readonly onLeap?: (document: string, leap: Leap) => void;
}

/**
 * Folds events into their documents, however many of them one document has: it is read and written once. Resolves when
 * every effect is durable; the effects stand in the order of the events.
 */
export async function applyEvents(
  projection: Projection,
  events: readonly CatalogEvent[],
  options: ApplyingOptions,
): Promise<readonly EventOutcome[]> {
  const applied: EventOutcome[] = events.map(() => ({ kind: 'ignored' }));
  const groups = groupByDocument(projection, events, applied);
  const refused = await changeDocuments(
    collectionOf(projection),
    groups.keys(),
    (id, stored) => {
      const write = foldInto(projection, id, stored, groups.get(id) ?? [], events, applied);
      if (!write || !options.onLeap) return write;
      const leap = { from: revisionIn(stored?.body.registers), to: revisionIn(write.body.registers) };
      if (isLeap(leap)) options.onLeap(id, leap);
      return write;
    },
    options,
  );
  for (const [id, error] of refused) {
    for (const index of groups.get(id) ?? []) applied[index] = { kind: 'failed', error };
  }
  return applied;
}

function groupByDocument(projection: Projection, events: readonly CatalogEvent[], applied: EventOutcome[]) {
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
  applied: EventOutcome[],
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
  return documentWrite(projection, id, stored, { registers: folded.registers, view: folded.shown.view });
}
