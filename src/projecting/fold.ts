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
  const folded = join(projection, before, events, () => undefined);
  if (folded.registers === before) return { ...folded, view: null };
  try {
    return { ...folded, view: projection.view(id, folded.registers) };
  } catch {
    // Some event has made a state that has no view. The slow way finds it and leaves it out.
    const careful = join(projection, before, events, (registers) => projection.view(id, registers));
    const isChanged = careful.registers !== before;
    return { ...careful, view: isChanged ? projection.view(id, careful.registers) : null };
  }
}

/** Joins one event after the other; `admit` throws where a state must not be entered. */
function join<Registers>(
  projection: Projection<Registers>,
  before: Registers,
  events: readonly CatalogEvent[],
  admit: (registers: Registers) => void,
): { readonly registers: Registers; readonly effects: readonly Effect[] } {
  let registers = before;
  const effects = events.map((event): Effect => {
    try {
      const added = projection.contribution(event);
      const conflict = projection.registers.conflicts(registers, added) > 0;
      const next = projection.registers.join(registers, added);
      if (next === registers) return { kind: 'superseded', conflict };
      admit(next);
      registers = next;
      return { kind: 'applied', conflict };
    } catch (error) {
      return { kind: 'failed', error };
    }
  });
  return { registers, effects };
}
