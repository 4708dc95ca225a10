import assert from 'node:assert/strict';

import * as fc from 'fast-check';
import type { ZodType } from 'zod';

import type { CatalogEvent } from '../../src/events/event.ts';
import { canonical } from '../../src/platform/canonical.ts';
import type { Json } from '../../src/platform/json-value.ts';
import { foldDocument } from '../../src/projecting/engine/fold.ts';
import { evolve, type Projection } from '../../src/projecting/engine/projection.ts';
import { deepFrozen } from './frozen.ts';
import { sizeOf } from './sizes.ts';
import { withoutSurroundings } from './surroundings.ts';

/** What a law is tried on: a projection, the shape of its views, and an endless supply of events for it. */
export interface Subject {
  readonly projection: Projection;
  readonly view: ZodType;
  /** Lists of events of any documents, with ties, duplicates and contradictions among them. */
  readonly events: fc.Arbitrary<readonly CatalogEvent[]>;
}

export interface Law {
  readonly title: string;
  /** Throws, with the smallest counterexample found, where the law does not hold. */
  hold(subject: Subject, cases: number): void;
}

/** How many generated cases each law is tried on. */
export const LAW_CASES = sizeOf('LAW_CASES');

/** What every projection keeps to. One that does not keep to them all does not ship. */
export const LAWS: readonly Law[] = [
  law('folding events again changes nothing: the join is idempotent', ({ projection }, events) => {
    const registers = fold(projection, events);
    assert.ok(projection.registers.join(registers, registers) === registers);
    assert.ok(events.reduce((again, event) => evolve(projection, again, event), registers) === registers);
  }),
  law(
    'two states join to the same, whichever comes first: the join is commutative',
    ({ projection }, events) => {
      const join = joinOf(projection);
      const [a, b] = parts(projection, events, 2);
      assert.equal(bytes(join(a, b)), bytes(join(b, a)));
    },
  ),
  law(
    'three states join to the same, however they are grouped: the join is associative',
    ({ projection }, events) => {
      const join = joinOf(projection);
      const [a, b, c] = parts(projection, events, 3);
      assert.equal(bytes(join(join(a, b), c)), bytes(join(a, join(b, c))));
    },
  ),
  law('the empty state adds nothing', ({ projection }, events) => {
    const join = joinOf(projection);
    const { empty } = projection.registers;
    const registers = fold(projection, events);
    assert.ok(join(registers, empty) === registers);
    assert.equal(bytes(join(empty, registers)), bytes(registers));
  }),
  law('a state stays the same reference where an event adds nothing to it', ({ projection }, events) => {
    const registers = fold(projection, events);
    for (const event of events) assert.ok(evolve(projection, registers, event) === registers);
  }),
  {
    title: 'any order, any duplication and any batches end in the same registers and the same view',
    hold: ({ projection, events }, cases) => {
      fc.assert(
        fc.property(events.chain(rearranged), ({ original, batches }) => {
          const expected = documents(projection, [original]);
          assert.deepEqual(documents(projection, batches), expected);
        }),
        { numRuns: cases },
      );
    },
  },
  law('every event leaves its trace, and the fold never drops one for its age', ({ projection }, events) => {
    const traces = events.map((event) => tracesIn(projection.contribution(event)));
    for (const trace of traces) assert.ok(trace.length > 0);
    const folded = tracesIn(fold(projection, events));
    assert.deepEqual(new Set(folded), new Set(traces.flat()));
  }),
  law('nothing is taken from a clock, from chance, or from the machine', ({ projection }, events) => {
    const expected = document(projection, fold(projection, events));
    withoutSurroundings(() => {
      assert.equal(document(projection, fold(projection, events)), expected);
    });
  }),
  law('the order of keys in stored registers does not matter', ({ projection }, events) => {
    const registers = fold(projection, events);
    const turned = withKeysTurned(registers as Json);
    assert.equal(document(projection, turned), document(projection, registers));
  }),
  law('events and registers are never changed in place', ({ projection }, events) => {
    const frozen = events.map((event) => deepFrozen(event));
    const registers = frozen.reduce(
      (folded, event) => deepFrozen(evolve(projection, folded, event)),
      deepFrozen(projection.registers.empty),
    );
    projection.view('frozen', registers);
    projection.trim(registers);
  }),
  law('trimming twice is trimming once, and changes no view', ({ projection }, events) => {
    const registers = fold(projection, events);
    const trimmed = projection.trim(registers);
    assert.ok(projection.trim(trimmed) === trimmed);
    assert.equal(
      JSON.stringify(projection.view('id', trimmed)),
      JSON.stringify(projection.view('id', registers)),
    );
  }),
  law('what is trimmed between events does not matter once it is trimmed again', ({ projection }, events) => {
    const join = joinOf(projection);
    const [a, b] = parts(projection, events, 2);
    assert.equal(bytes(projection.trim(join(projection.trim(a), b))), bytes(projection.trim(join(a, b))));
  }),
  law(
    'an event contradicts itself never, and another one as often as that one does',
    ({ projection }, events) => {
      const conflicts = (x: unknown, y: unknown) => projection.registers.conflicts(x, y);
      const [a, b] = parts(projection, events, 2);
      assert.equal(conflicts(a, a), 0);
      assert.equal(conflicts(a, b), conflicts(b, a));
    },
  ),
  law('a view fits its schema, field by field', ({ projection, view }, events) => {
    const shown = projection.view('id', fold(projection, events));
    assert.deepEqual(view.parse(shown), shown);
  }),
  law('what is said of search entries without making them is so', ({ projection }, events) => {
    const { entries } = projection;
    if (!entries) return;
    const views = events.map((_, index) =>
      projection.view('id', fold(projection, events.slice(0, index + 1))),
    );
    const made = views.map((view) => projection.searchEntry?.('id', view) ?? null);
    for (const [index, view] of views.entries()) {
      assert.equal(entries.has(view), (made[index] ?? null) !== null);
      for (const other of [index, Math.max(0, index - 1)]) {
        const isSame = JSON.stringify(made[other]) === JSON.stringify(made[index]);
        assert.equal(entries.same('id', views[other], view), isSame);
      }
    }
  }),
];

/** A law about the events of one document. */
function law(title: string, holds: (subject: Subject, events: readonly CatalogEvent[]) => void): Law {
  return {
    title,
    hold: (subject, cases) => {
      fc.assert(
        fc.property(subject.events, (events) => {
          for (const [, ofOne] of byDocument(subject.projection, events)) holds(subject, ofOne);
        }),
        { numRuns: cases },
      );
    },
  };
}

export function byDocument(
  projection: Projection,
  events: readonly CatalogEvent[],
): ReadonlyMap<string, readonly CatalogEvent[]> {
  const groups = Map.groupBy(events, (event) => projection.documentId(event) ?? '');
  groups.delete('');
  return groups;
}

export function fold(projection: Projection, events: readonly CatalogEvent[]): unknown {
  return events.reduce((folded, event) => evolve(projection, folded, event), projection.registers.empty);
}

function joinOf(projection: Projection): (a: unknown, b: unknown) => unknown {
  return (a, b) => projection.registers.join(a, b);
}

/** The events dealt out in turn to so many states. */
function parts(projection: Projection, events: readonly CatalogEvent[], count: 2 | 3) {
  const dealt = (hand: number) => events.filter((_, index) => index % count === hand);
  return [fold(projection, dealt(0)), fold(projection, dealt(1)), fold(projection, dealt(2))] as const;
}

/** The same events in another order, some of them several times, in batches of any size. */
function rearranged(original: readonly CatalogEvent[]) {
  const duplicated = fc.subarray([...original]).map((again) => original.concat(again));
  return duplicated
    .chain((all) => fc.shuffledSubarray(all, { minLength: all.length }))
    .chain((shuffled) =>
      fc.array(fc.nat({ max: shuffled.length })).map((cuts) => {
        const bounds = [0, ...cuts.toSorted((a, b) => a - b), shuffled.length];
        const batches = bounds.slice(1).map((end, index) => shuffled.slice(bounds[index], end));
        return { original, batches };
      }),
    );
}

/** Folds batch after batch as the projector does, storing each document as JSON in between. */
export function documents(
  projection: Projection,
  batches: readonly (readonly CatalogEvent[])[],
): ReadonlyMap<string, string> {
  const stored = new Map<string, string>();
  const shown = new Map<string, string>();
  for (const batch of batches) {
    for (const [id, events] of byDocument(projection, batch)) {
      const text = stored.get(id);
      const before: unknown = text === undefined ? projection.registers.empty : JSON.parse(text);
      const { registers } = foldDocument(projection, id, before, events);
      stored.set(id, JSON.stringify(registers));
      // The view's own order of keys counts: it is stored and served as it is.
      shown.set(id, `${bytes(registers)}\n${JSON.stringify(projection.view('id', registers))}`);
    }
  }
  return shown;
}

function document(projection: Projection, registers: unknown): string {
  return `${bytes(registers)}\n${bytes(projection.view('id', registers))}`;
}

function bytes(value: unknown): string {
  return canonical(value as Json);
}

/** Where a state holds a written value: the paths of all its stamps. */
function tracesIn(value: unknown, path = ''): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('at' in value && 'digest' in value) return [path];
  return Object.entries(value).flatMap(([key, inner]) => tracesIn(inner, `${path}/${key}`));
}

function withKeysTurned(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => withKeysTurned(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, inner]) => [key, withKeysTurned(inner)]),
  );
}
