import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

import { checkerOf, REFUSED } from '../../../src/events/checker.ts';
import { envelopeSchema } from '../../../src/events/envelope.ts';
import { countUnknownFields } from '../../../src/events/interpret.ts';
import { object } from '../../../src/events/fields.ts';
import { EVENT_TYPES } from '../../../src/events/types.ts';
import { arbitraryEvent } from '../../support/arbitrary-events.ts';
import { recordedEvents } from '../../../src/compose/recorded-events.ts';

const RECORDED = await recordedEvents({ name: 'listings', version: 1 });

/** A checker takes less time than its schema, and never says anything else. */

const TOPICS = [...new Set(EVENT_TYPES.map(({ topic }) => topic))];

function schemaOf(type: string): z.ZodType {
  const versions = EVENT_TYPES.find(({ name }) => type.startsWith(`${name}.v`))?.versions;
  return versions?.[Number(/\d+$/.exec(type)?.[0]) - 1] ?? z.never();
}

/** What both say of a value: the text shows the order of the keys as well. */
function compare(schema: z.ZodType, value: unknown): 'accepted' | 'refused' {
  const seen = { unknownFields: 0 };
  const checked = checkerOf(schema)(value, seen);
  if (checked === REFUSED) return 'refused';
  const { data } = schema.safeParse(value);
  expect(JSON.stringify(checked)).toBe(JSON.stringify(data));
  expect(checked).toStrictEqual(data);
  expect(seen.unknownFields).toBe(countUnknownFields(value, data));
  return 'accepted';
}

const ODD: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, '', ' ', 'é', 'e\u0301', '\ud800', 'a\u0000b', 'a\nb', '__proto__'),
  fc.constantFrom<unknown>(0, -0, -1, 0.5, 6, 2 ** 53, Number.POSITIVE_INFINITY, Number.NaN),
  fc.constantFrom<unknown>(
    '2026-02-30T00:00:00Z',
    '2026-02-28T23:59:60+14:00',
    'tg:x',
    'http://x',
    'https://x y',
  ),
  fc.constantFrom<unknown>(
    [],
    {},
    [[]],
    { ru: null },
    { en: 'x', ru: '' },
    Array(21).fill('x'),
    'x'.repeat(201),
  ),
  fc.constantFrom<unknown>('channel', 'bot', 'gone', 'constructor', 'EN', 'a-', 'x'.repeat(5001)),
  fc.string({ unit: 'binary' }),
  fc.jsonValue(),
);

/** One place of a value becomes something odd, goes, or gets a neighbour that nobody knows. */
function damaged(
  value: unknown,
  steps: readonly number[],
  odd: unknown,
  how: 'set' | 'drop' | 'add',
): unknown {
  const copy = structuredClone(value);
  let place = copy as Record<string, unknown>;
  for (const [depth, step] of steps.entries()) {
    const names = Object.keys(place);
    const name = names[step % Math.max(1, names.length)];
    if (name === undefined) break;
    const inner = place[name];
    if (depth + 1 < steps.length && typeof inner === 'object' && inner !== null) {
      place = inner as Record<string, unknown>;
      continue;
    }
    if (how === 'add' && !Array.isArray(place)) place['x_unknown'] = odd;
    else if (how === 'drop' && !Array.isArray(place)) delete place[name];
    else place[name] = odd;
    break;
  }
  return copy;
}

test('takes every event that was recorded, and every one that can be made, for what its schema makes of it', () => {
  for (const { type, data } of RECORDED) expect(compare(schemaOf(type), data)).toBe('accepted');
  const event = arbitraryEvent(TOPICS);
  fc.assert(
    fc.property(event, ({ type, data }) => {
      expect(compare(schemaOf(type), data)).toBe('accepted');
    }),
    { numRuns: 500 },
  );
});

test('takes nothing that a schema refuses, and makes the same of all that it takes, whatever is damaged', () => {
  const steps = fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 4 });
  const how = fc.constantFrom('set' as const, 'drop' as const, 'add' as const);
  const recorded = fc.oneof(fc.constantFrom(...RECORDED), arbitraryEvent(TOPICS));
  const found = { accepted: 0, refused: 0 };
  fc.assert(
    fc.property(recorded, steps, ODD, how, (event, path, odd, way) => {
      found[compare(schemaOf(event.type), damaged(event.data, path, odd, way))] += 1;
      found[compare(envelopeSchema, damaged(event, path, odd, way))] += 1;
    }),
    { numRuns: 4000 },
  );
  // It has seen enough of both.
  expect(Math.min(found.accepted, found.refused)).toBeGreaterThan(500);
});

test('takes no value that is none of the schema at all', () => {
  for (const { versions } of EVENT_TYPES)
    for (const schema of versions)
      fc.assert(
        fc.property(ODD, (odd) => void compare(schema, odd)),
        { numRuns: 200 },
      );
});

describe('leaves to its schema', () => {
  test.each([
    ['a kind of schema that it does not know', z.record(z.string(), z.number()), { a: 1 }],
    ['a rule that it does not know', z.string().startsWith('a'), 'ab'],
    ['a format that it does not know', z.email(), 'a@example.org'],
    ['a pattern that remembers', z.string().regex(/a/g), 'a'],
    ['an object that takes others in', z.looseObject({ a: z.number() }), { a: 1 }],
    ['a default that would be shared', z.array(z.number()).default([]), [1]],
    ['a field that every object seems to have', object({ constructor: z.number() }), { constructor: 1 }],
    [
      'an object that has such a field',
      object({ a: z.number(), b: z.email() }),
      { a: 1, b: 'a@example.org' },
    ],
  ])('%s', (_what, schema, value) => {
    expect(schema.safeParse(value).success).toBe(true);
    expect(checkerOf(schema)(value, { unknownFields: 0 })).toBe(REFUSED);
  });
});
