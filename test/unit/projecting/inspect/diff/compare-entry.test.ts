import { expect, test } from 'vitest';

import type { JsonObject } from '../../../../../src/platform/json-value.ts';
import { compareEntry } from '../../../../../src/projecting/inspect/diff/compare-entry.ts';
import { leavesOf } from '../../../../../src/projecting/inspect/diff/leaves.ts';
import { type RankPair, ranksOf } from '../../../../../src/projecting/inspect/diff/rank-by-score.ts';

const VIEW = { published: true, title: { en: 'A', ru: null }, tags: ['x', 'y'], score: { value: 50 } };

function compared(
  before: JsonObject | null,
  after: JsonObject | null,
  paths: readonly string[] | null = null,
  ranked: RankPair = null,
) {
  const stored = (view: JsonObject | null) =>
    view && { id: 'a', version: 'v', body: { registers: {}, view } };
  return compareEntry({ id: 'a', before: stored(before), after: stored(after) }, paths, ranked);
}

function changes(before: JsonObject, after: JsonObject, paths: readonly string[] | null = null): object {
  return Object.fromEntries(compared(before, after, paths)?.fields ?? []);
}

test.each([
  ['see in neither is none', { published: false }, null, undefined],
  ['see afterwards alone was added', null, VIEW, 'added'],
  ['no longer see, because it was unpublished, was removed', VIEW, { published: false }, 'removed'],
  ['no longer see, because it is not there, was removed', VIEW, null, 'removed'],
  ['see again was added', { defined: false }, { defined: true }, 'added'],
  ['see with other fields was changed', VIEW, { ...VIEW, tags: ['y', 'x'] }, 'changed'],
  ['see with the same fields in another order is unchanged', { a: 1, b: 2 }, { b: 2, a: 1 }, 'unchanged'],
] as const)('an entry that readers %s', (_title, before, after, outcome) => {
  expect(compared(before, after)?.outcome).toBe(outcome);
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
  expect(changes({ a: 1 }, { a: 2 }, ['constructor', '__proto__.x'])).toEqual({});
  expect(leavesOf({ a: 1 }, ['constructor']).size).toBe(0);
});

test('with a list of fields only these count, and what lies below them', () => {
  const after = { ...VIEW, title: { en: 'B', ru: null }, score: { value: 51 } };
  expect(changes(VIEW, after, ['score'])).toEqual({ 'score.value': { before: 50, after: 51 } });
  expect(compared(VIEW, after, ['tags'])?.outcome).toBe('unchanged');
});

test('another rank alone is no change, also where a score came after the scores were counted', () => {
  const before = ranksOf([[50, 1]]);
  const after = ranksOf([
    [40, 1],
    [60, 4],
  ]);
  expect(compared(VIEW, VIEW, null, { before, after })).toMatchObject({
    outcome: 'unchanged',
    score: { before: 50, after: 50 },
    rank: { before: 1, after: 5 },
  });
});
