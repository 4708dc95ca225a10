import type { CatalogEvent } from '../events/event.ts';
import type { Projection } from './projection.ts';

/** What one event did to its document. */
export type Effect =
  | { readonly kind: 'applied'; readonly conflict: boolean }
  /** A duplicate, or older than what is there. */
  | { readonly kind: 'superseded'; readonly conflict: boolean }
  /** The projection threw: the event is left out, and the others go on. */
  | { readonly kind: 'failed'; readonly error: unknown };

export interface Folded<Registers, View> {
  /** The very registers given, the same reference, where no event changed anything. */
  readonly registers: Registers;
  readonly view: View | null;
  /** One for each event, in their order. */
  readonly effects: readonly Effect[];
}

/**
 * Folds events into one document's registers and computes its view once. Pure. `view` is null where the registers did
 * not change: then there is nothing to write.
 */
export function foldDocument<Registers, View>(
  projection: Projection<Registers, View>,
  id: string,
  before: Registers,
  events: readonly CatalogEvent[],
): Folded<Registers, View> {
  let registers = before;
  const effects = events.map((event): Effect => {
    try {
      const { next, conflict } = step(projection, registers, event);
      if (next === registers) return { kind: 'superseded', conflict };
      registers = next;
      return { kind: 'applied', conflict };
    } catch (error) {
      return { kind: 'failed', error };
    }
  });
  if (registers === before) return { registers, view: null, effects };
  try {
    return { registers, view: projection.view(id, registers), effects };
  } catch {
    return foldOneByOne(projection, id, before, events);
  }
}

function step<Registers>(
  projection: Projection<Registers>,
  registers: Registers,
  event: CatalogEvent,
): { readonly next: Registers; readonly conflict: boolean } {
  const added = projection.contribution(event);
  return {
    next: projection.registers.join(registers, added),
    conflict: projection.registers.conflicts(registers, added) > 0,
  };
}

/** The slow way, once some event has made a state that has no view: finds that event and leaves it out. */
function foldOneByOne<Registers, View>(
  projection: Projection<Registers, View>,
  id: string,
  before: Registers,
  events: readonly CatalogEvent[],
): Folded<Registers, View> {
  let registers = before;
  let view: View | null = null;
  const effects = events.map((event): Effect => {
    try {
      const { next, conflict } = step(projection, registers, event);
      if (next === registers) return { kind: 'superseded', conflict };
      view = projection.view(id, next);
      registers = next;
      return { kind: 'applied', conflict };
    } catch (error) {
      return { kind: 'failed', error };
    }
  });
  return { registers, view, effects };
}
