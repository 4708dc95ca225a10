import { expect, test } from 'vitest';

import { buildTaxonomy } from '../../../../src/api/reading/build-taxonomy.ts';
import type { PublishedListing } from '../../../../src/api/reading/listing-queries.ts';
import type { ConfirmedValue } from '../../../../src/platform/cache/confirmed-value.ts';
import { readTop } from '../../../../src/api/reading/read-top.ts';
import { LISTINGS } from '../../../support/collections.ts';

interface State {
  /** Ranked slugs, a letter each, and the total of channels without a category: as the snapshots have them, and anew. */
  readonly ranked: readonly [before: string, renewed: string];
  readonly counted: readonly [before: number, renewed: number];
  /** What is published now, with its score. */
  readonly published: Readonly<Record<string, number>>;
  readonly elsewhere?: string;
}

function reading({ ranked, counted, published, elsewhere = '' }: State): Parameters<typeof readTop>[0] {
  const count = (total: number) => [{ kind: 'channel', category: null, count: total }] as const;
  const listing = (id: string) => {
    const kind = elsewhere.includes(id) ? 'bot' : 'channel';
    // Only what decides about the order and the filter.
    const view = { kind, category: null, score: { value: published[id] } } as unknown;
    return { id, version: '1', view: view as PublishedListing['view'] };
  };
  return {
    live: async () => ({ collection: LISTINGS, index: LISTINGS }),
    taxonomy: async () => ({ ...buildTaxonomy([]), digest: '' }),
    published: async (_collection, slugs) =>
      new Map(slugs.filter((slug) => slug in published).map((slug) => [slug, listing(slug)])),
    counts: () => snapshot(count(counted[0]), count(counted[1])),
    ranking: () => snapshot(ranked[0].split(''), ranked[1].split('')),
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

/** A state, how many are asked for, and what is shown of it. */
const RULES: Record<string, { state: State; limit: number; shown: readonly [string, number] }> = {
  'drops who has left, and counts and ranks anew': {
    state: { ranked: ['abc', 'bcd'], counted: [4, 3], published: { b: 3, c: 2, d: 1 } },
    limit: 3,
    shown: ['bcd', 3],
  },
  'of the first few alone also counts anew when one of them has left': {
    state: { ranked: ['abc', 'bc'], counted: [3, 2], published: { b: 3, c: 2 } },
    limit: 1,
    shown: ['b', 2],
  },
  'counts anew where the list alone shows that the total is behind': {
    state: { ranked: ['ab', 'ab'], counted: [1, 2], published: { a: 2, b: 1 } },
    limit: 10,
    shown: ['ab', 2],
  },
  'ranks anew where the total alone shows that the list is behind': {
    state: { ranked: ['a', 'ab'], counted: [2, 2], published: { a: 2, b: 1 } },
    limit: 10,
    shown: ['ab', 2],
  },
  'moves who has moved, and drops who is of another kind now': {
    state: { ranked: ['abc', 'ba'], counted: [3, 2], published: { a: 1, b: 2, c: 3 }, elsewhere: 'c' },
    limit: 10,
    shown: ['ba', 2],
  },
  'fills up from those ranked next where the store stays behind, and never counts less than it lists': {
    state: { ranked: ['abcd', 'abcd'], counted: [1, 1], published: { b: 3, c: 2, d: 1 } },
    limit: 2,
    shown: ['bc', 2],
  },
  'counts what it lists where that is all there is, though the store stays behind': {
    state: { ranked: ['abc', 'abc'], counted: [3, 3], published: { a: 2, b: 1 } },
    limit: 3,
    shown: ['ab', 2],
  },
  'counts as the store does where more may match than are ranked': {
    state: { ranked: ['abcd', 'abcd'], counted: [9, 9], published: { a: 2, b: 1 } },
    limit: 3,
    shown: ['ab', 9],
  },
  'orders equal scores by slug, and counts more than it lists': {
    state: { ranked: ['cab', ''], counted: [4, 4], published: { a: 1, b: 1, c: 1 } },
    limit: 3,
    shown: ['abc', 4],
  },
};

test.each(Object.entries(RULES))('the top %s', async (_rule, { state, limit, shown }) => {
  const { entries, total } = await readTop(reading(state), { kind: 'channel', category: null, limit });
  expect([entries.map(({ id }) => id).join(''), total]).toEqual(shown);
});
