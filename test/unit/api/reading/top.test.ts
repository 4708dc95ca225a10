import { describe, expect, test } from 'vitest';

import { buildTaxonomy } from '../../../../src/api/reading/taxonomy.ts';
import type { PublishedListing } from '../../../../src/api/reading/listings.ts';
import type { ConfirmedValue } from '../../../../src/platform/confirmed-value.ts';
import { readTop } from '../../../../src/api/reading/top.ts';
import { LISTINGS } from '../../../support/collections.ts';

interface State {
  /** Ranked slugs and the total of channels without a category: as the snapshots have them, and as they would be anew. */
  readonly ranked: readonly [before: readonly string[], renewed: readonly string[]];
  readonly counted: readonly [before: number, renewed: number];
  /** What is published now, with its score. */
  readonly published: Readonly<Record<string, number>>;
  readonly elsewhere?: readonly string[];
}

function reading({ ranked, counted, published, elsewhere = [] }: State): Parameters<typeof readTop>[0] {
  const count = (total: number) => [{ kind: 'channel', category: null, count: total }] as const;
  const listing = (id: string) => {
    const kind = elsewhere.includes(id) ? 'bot' : 'channel';
    // Only what decides about the order and the filter.
    return { id, version: '1', view: { kind, category: null, score: { value: published[id] } } } as unknown;
  };
  return {
    live: async () => ({ collection: LISTINGS, index: LISTINGS }),
    taxonomy: async () => ({ ...buildTaxonomy([]), digest: '' }),
    published: async (_collection, slugs) =>
      new Map(
        slugs.filter((slug) => slug in published).map((slug) => [slug, listing(slug) as PublishedListing]),
      ),
    counts: () => snapshot(count(counted[0]), count(counted[1])),
    ranking: () => snapshot(ranked[0], ranked[1]),
  };
}

function snapshot<T>(before: T, renewed: T): ConfirmedValue<T> {
  let value = before;
  return {
    known: () => null,
    current: async () => value,
    renewed: async () => (value = renewed),
    insteadOf: async () => (value = renewed),
  };
}

async function top(state: State, limit: number) {
  const { entries, total } = await readTop(reading(state), { kind: 'channel', category: null, limit });
  return { slugs: entries.map(({ id }) => id), total };
}

describe('the top', () => {
  test('drops who has left, and counts and ranks anew', async () => {
    const state: State = {
      ranked: [
        ['a', 'b', 'c'],
        ['b', 'c', 'd'],
      ],
      counted: [4, 3],
      published: { b: 3, c: 2, d: 1 },
    };
    expect(await top(state, 3)).toEqual({ slugs: ['b', 'c', 'd'], total: 3 });
  });

  test('of the first few alone also counts anew when one of them has left', async () => {
    const state: State = {
      ranked: [
        ['a', 'b', 'c'],
        ['b', 'c'],
      ],
      counted: [3, 2],
      published: { b: 3, c: 2 },
    };
    expect(await top(state, 1)).toEqual({ slugs: ['b'], total: 2 });
  });

  test('counts anew where the list alone shows that the total is behind', async () => {
    const state: State = {
      ranked: [
        ['a', 'b'],
        ['a', 'b'],
      ],
      counted: [1, 2],
      published: { a: 2, b: 1 },
    };
    expect(await top(state, 10)).toEqual({ slugs: ['a', 'b'], total: 2 });
  });

  test('ranks anew where the total alone shows that the list is behind', async () => {
    const state: State = { ranked: [['a'], ['a', 'b']], counted: [2, 2], published: { a: 2, b: 1 } };
    expect(await top(state, 10)).toEqual({ slugs: ['a', 'b'], total: 2 });
  });

  test('moves who has moved, and drops who is of another kind now', async () => {
    const state: State = {
      ranked: [
        ['a', 'b', 'c'],
        ['b', 'a'],
      ],
      counted: [3, 2],
      published: { a: 1, b: 2, c: 3 },
      elsewhere: ['c'],
    };
    expect(await top(state, 10)).toEqual({ slugs: ['b', 'a'], total: 2 });
  });

  test('fills up from those ranked next where the store stays behind, and never counts less than it lists', async () => {
    const behind = ['a', 'b', 'c', 'd'];
    const state: State = { ranked: [behind, behind], counted: [1, 1], published: { b: 3, c: 2, d: 1 } };
    expect(await top(state, 2)).toEqual({ slugs: ['b', 'c'], total: 2 });
  });

  test('orders equal scores by slug', async () => {
    const state: State = { ranked: [['c', 'a', 'b'], []], counted: [3, 3], published: { a: 1, b: 1, c: 1 } };
    expect((await top(state, 3)).slugs).toEqual(['a', 'b', 'c']);
  });
});
