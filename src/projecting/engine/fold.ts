import type { CatalogEvent } from '../../events/event.ts';
import type { Projection } from './projection.ts';

/** What one event did to its document. */
export type Effect =
  | { readonly kind: 'applied'; readonly conflict: boolean }
  /** A duplicate, or older than what is there. */
  | { readonly kind: 'superseded'; readonly conflict: boolean }
  /** The projection threw: the event is left out, and the others go on. */
  | { readonly kind: 'failed'; readonly error: unknown };

export interface FoldResult<Registers, View> {
  /** The very registers given, the same reference, where no event changed anything. */
  readonly registers: Registers;
  /** What readers and the index see; null where the registers did not change: then there is nothing to write. */
  readonly shown: { readonly view: View } | null;
  /** One for each event, in their order. */
  readonly effects: readonly Effect[];
}

/** Folds events into one document's registers, and computes once what follows from them. Pure. */
export function foldDocument<Registers, View>(
  projection: Projection<Registers, View>,
  id: string,
  before: Registers,
  events: readonly CatalogEvent[],
): FoldResult<Registers, View> {
  const show = (registers: Registers): { readonly view: View } => {
    const view = projection.view(id, registers);
    // What the index can be told nothing of must not be entered either.
    if (!projection.entries) projection.searchEntry?.(id, view);
    return { view };
  };
  const folded = join(projection, before, events, () => undefined);
  if (folded.registers === before) return { ...folded, shown: null };
  try {
    return { ...folded, shown: show(folded.registers) };
  } catch {
    // Some event has made a state that cannot be shown. The slow way finds it and leaves it out.
    const careful = join(projection, before, events, (registers) => void show(registers));
    const isChanged = careful.registers !== before;
    return { ...careful, shown: isChanged ? show(careful.registers) : null };
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
