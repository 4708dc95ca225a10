import { describe, expect, test } from 'vitest';

import type { JsonObject } from '../../../../../src/platform/json.ts';
import { compare, type Counting, type Ranked } from '../../../../../src/projecting/inspect/diff/comparing.ts';
import { leavesOf } from '../../../../../src/projecting/inspect/diff/leaves.ts';
import { standingsOf } from '../../../../../src/projecting/inspect/diff/standings.ts';

const ALL: Counting = { paths: null, rank: false };
const VIEW = { published: true, title: { en: 'A', ru: null }, tags: ['x', 'y'], score: { value: 50 } };

function compared(
  before: JsonObject | null,
  after: JsonObject | null,
  counting = ALL,
  ranked: Ranked | null = null,
) {
  const stored = (view: JsonObject | null) =>
    view && { id: 'a', version: 'v', body: { registers: {}, view } };
  return compare({ id: 'a', before: stored(before), after: stored(after) }, counting, ranked);
}

function changes(before: JsonObject, after: JsonObject, counting = ALL): object {
  return Object.fromEntries(compared(before, after, counting)?.fields ?? []);
}

describe('an entry that readers', () => {
  test.each([
    ['see in neither is none', { published: false }, null, undefined],
    ['see afterwards alone was added', null, VIEW, 'added'],
    ['no longer see, because it was unpublished, was removed', VIEW, { published: false }, 'removed'],
    ['no longer see, because it is not there, was removed', VIEW, null, 'removed'],
    ['see again was added', { defined: false }, { defined: true }, 'added'],
    ['see with other fields was changed', VIEW, { ...VIEW, tags: ['y', 'x'] }, 'changed'],
    ['see with the same fields in another order is unchanged', { a: 1, b: 2 }, { b: 2, a: 1 }, 'unchanged'],
  ] as const)('%s', (_title, before, after, outcome) => {
    expect(compared(before, after)?.outcome).toBe(outcome);
  });
});

test('what differs is named by its path, with both values', () => {
  expect(changes(VIEW, { ...VIEW, title: { en: 'B', ru: null }, tags: [] })).toEqual({
    'title.en': { before: 'A', after: 'B' },
    tags: { before: ['x', 'y'], after: [] },
  });
});

test('a field that one side lacks has no value there, which is not null', () => {
  expect(changes({ a: null, b: {} }, { b: { c: null } })).toEqual({
    a: { before: null },
    b: { before: {} },
    'b.c': { after: null },
  });
});

test('lists whose elements have a key or a day are compared by it', () => {
  const before = {
    parts: [
      { key: 'x', value: 1 },
      { key: 'y', value: 2 },
    ],
  };
  const after = {
    parts: [
      { key: 'y', value: 3 },
      { key: 'x', value: 1 },
    ],
  };
  expect(changes(before, after)).toEqual({ 'parts.y.value': { before: 2, after: 3 } });
});

test('a name that every object has is a field of those alone that have it', () => {
  const counting = { paths: ['constructor', '__proto__.x'], rank: false };
  expect(changes({ a: 1 }, { a: 2 }, counting)).toEqual({});
  expect(leavesOf({ a: 1 }, ['constructor']).size).toBe(0);
});

describe('with a list of fields', () => {
  test('only these count, and what lies below them', () => {
    const after = { ...VIEW, title: { en: 'B', ru: null }, score: { value: 51 } };
    expect(changes(VIEW, after, { paths: ['score'], rank: false })).toEqual({
      'score.value': { before: 50, after: 51 },
    });
    expect(compared(VIEW, after, { paths: ['tags'], rank: false })?.outcome).toBe('unchanged');
  });

  test.each([
    [true, 'changed'],
    [false, 'unchanged'],
  ] as const)('another rank alone counts where it is asked for: %j', (rank, outcome) => {
    const ranked: Ranked = {
      before: standingsOf([[50, 1]]),
      after: standingsOf([
        [50, 1],
        [60, 4],
      ]),
      scoreOf: () => 50,
    };
    const comparison = compared(VIEW, VIEW, { paths: [], rank }, ranked);
    expect(comparison?.outcome).toBe(outcome);
    expect(comparison?.standing).toEqual({ before: { score: 50, rank: 1 }, after: { score: 50, rank: 5 } });
  });
});
