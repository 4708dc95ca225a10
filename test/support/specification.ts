import { expect } from 'vitest';

import type { CloudEvent } from '../../src/events/envelope.ts';
import { foldDocument } from '../../src/projecting/engine/fold.ts';
import type { Projection } from '../../src/projecting/engine/projection.ts';
import { decoded } from './events.ts';

/**
 * Given some events, when others come, then the document's view is this. The events of a case belong to one document; that
 * their order does not matter, nor how often each comes, is a law for every projection (laws.ts).
 */
export interface Specification<Registers, View> {
  when(...events: Events[]): Specification<Registers, View>;
  /** Holds where the view has these fields (others do not matter). */
  thenShows(view: object): void;
  /** Holds where `check` does not throw. */
  thenHolds(check: (document: { readonly registers: Registers; readonly view: View }) => void): void;
}

type Events = CloudEvent | readonly CloudEvent[];

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
  const arrived = events.map(decoded);
  const ids = new Set(arrived.map((event) => projection.documentId(event)));
  const [id, ...others] = ids;
  if (typeof id !== 'string' || others.length > 0) throw new Error('The events must belong to one document');
  const { registers, effects } = foldDocument(projection, id, projection.registers.empty, arrived);
  expect(effects.filter((effect) => effect.kind === 'failed')).toEqual([]);
  return { registers, view: projection.view(id, registers) };
}
