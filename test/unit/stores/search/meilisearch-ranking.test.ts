import { expect, test } from 'vitest';

import { ranked, type Match } from '../../../../src/stores/search/meilisearch/ranking.ts';

function match(id: string, told: Partial<Match> = {}): Match {
  return { id, tier: 2, slips: 0, relevance: 0.5, score: 50, ...told };
}

test.for<[string, Match, Match]>([
  ['a name that is equal', match('b', { tier: 0, score: 1 }), match('a', { relevance: 1, score: 99 })],
  ['fewer slips', match('b', { relevance: 0.1 }), match('a', { slips: 1, relevance: 0.9 })],
  ['more relevance', match('b', { relevance: 0.6, score: 1 }), match('a', { score: 99 })],
  ['a higher score', match('b', { score: 51 }), match('a')],
  ['the lower id', match('a'), match('b')],
])('%s comes first', ([, first, second]) => {
  expect(ranked([second, first])).toEqual([first.id, second.id]);
  expect(ranked([first, second])).toEqual([first.id, second.id]);
});

test('what several searches found counts once, as its best match', () => {
  const matches = [
    match('a', { slips: 1 }),
    match('b'),
    match('a', { tier: 0 }),
    match('b', { relevance: 0.9 }),
  ];
  expect(ranked(matches)).toEqual(['a', 'b']);
});
