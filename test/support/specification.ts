import { expect } from 'vitest';

import type { CloudEvent } from '../../src/events/envelope.ts';
import type { CatalogEvent } from '../../src/events/event.ts';
import { canonical } from '../../src/platform/canonical.ts';
import type { Json } from '../../src/platform/json-value.ts';
import { foldDocument } from '../../src/projecting/engine/fold.ts';
import type { Projection } from '../../src/projecting/engine/projection.ts';
import { decoded } from './events.ts';

/**
 * Given some events, when others come, then the document's view is this. The events of a case belong to one document.
 *
 * Every case is also a case about order and repetition: the events backwards, shuffled, and all of them twice must
 * end in the same registers and the same view.
 */
export interface Specification<Registers, View> {
  when(...events: Events[]): Specification<Registers, View>;
  /** Holds where the view has these fields (others do not matter). */
  thenShows(view: object): void;
  /** Holds where `check` does not throw. */
  thenHolds(check: (document: { readonly registers: Registers; readonly view: View }) => void): void;
}

type Events = CloudEvent | readonly CloudEvent[];

const SHUFFLES = 5;

/** Starts the cases of a projection: `const given = specify(listings)`. */
export function specify<Registers, View>(
  projection: Projection<Registers, View>,
): (...events: Events[]) => Specification<Registers, View> {
  const after = (events: readonly CloudEvent[]): Specification<Registers, View> => ({
    when: (...more) => after([...events, ...more.flat()]),
    thenShows: (view) => expect(documentAfter(projection, events).view).toMatchObject(view),
    thenHolds: (check) => check(documentAfter(projection, events)),
  });
  return (...events) => after(events.flat());
}

/** The same event so many times: a redelivery, or an upstream that repeats itself. */
export function numberOfTimes(times: number, event: CloudEvent): readonly CloudEvent[] {
  return Array.from({ length: times }, () => event);
}

function documentAfter<Registers, View>(
  projection: Projection<Registers, View>,
  events: readonly CloudEvent[],
): { readonly registers: Registers; readonly view: View } {
  const arrived = events.map((event) => decoded(event));
  const ids = new Set(arrived.map((event) => projection.documentId(event)));
  const [id, ...others] = ids;
  if (typeof id !== 'string' || others.length > 0) throw new Error('The events must belong to one document');
  const document = fold(projection, id, arrived);
  for (const [order, rearranged] of arrangements(arrived)) {
    expect(bytes(fold(projection, id, rearranged)), `the events ${order}`).toBe(bytes(document));
  }
  return document;
}

function fold<Registers, View>(
  projection: Projection<Registers, View>,
  id: string,
  events: readonly CatalogEvent[],
): { readonly registers: Registers; readonly view: View } {
  const { registers, effects } = foldDocument(projection, id, projection.registers.empty, events);
  expect(effects.filter((effect) => effect.kind === 'failed')).toEqual([]);
  return { registers, view: projection.view(id, registers) };
}

function arrangements(
  events: readonly CatalogEvent[],
): readonly (readonly [name: string, events: readonly CatalogEvent[]])[] {
  const shuffled = Array.from({ length: SHUFFLES }, (_, seed) => {
    return [`shuffled with seed ${seed}`, shuffle(events, seed)] as const;
  });
  return [
    ['backwards', events.toReversed()],
    ['all of them twice', [...events, ...events]],
    ['each of them twice', events.flatMap((event) => [event, event])],
    ...shuffled,
  ];
}

/** Fisher and Yates, with a small linear congruential generator (Numerical Recipes) so that a failure repeats. */
function shuffle<T>(values: readonly T[], seed: number): readonly T[] {
  const shuffled = [...values];
  let state = seed;
  for (let last = shuffled.length - 1; last > 0; last -= 1) {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    const other = Math.floor((state / 2 ** 32) * (last + 1));
    [shuffled[last], shuffled[other]] = [shuffled[other] as T, shuffled[last] as T];
  }
  return shuffled;
}

function bytes(document: { readonly registers: unknown; readonly view: unknown }): string {
  // The view's own key order counts: it is stored and served as it is.
  return `${canonical(document.registers as Json)}\n${JSON.stringify(document.view)}`;
}
