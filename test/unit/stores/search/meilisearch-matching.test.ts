import { expect, test } from 'vitest';

import { spellingsOf } from '../../../../src/stores/search/meilisearch/matching.ts';

function limits(q: string, offset: number, limit: number): readonly (number | undefined)[] {
  const spellings = spellingsOf('catalog-a', { q, filter: {}, exclude: [], offset, limit });
  return spellings.flatMap(({ searches }) => searches.map((search) => search.limit));
}

test.for([
  [0, 50, 50],
  [20, 5, 25],
  [2490, 50, 2500],
  [2500, 50, 0],
  [1_000_000, 1, 0],
])('from %i on, a page of %i asks each spelling for its first %i', ([offset, limit, reach]) => {
  expect(limits('rust', offset as number, limit as number)).toEqual([reach, reach, reach, reach]);
});

test('a query in several parts asks for all matches of each, for the others decide which of them stay', () => {
  const eleven = 'one two three four five six seven eight nine ten eleven';
  expect(limits(eleven, 0, 50)).toEqual([50, 50, 2501, 2501, 2501, 2501]);
});
