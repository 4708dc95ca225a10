import * as fc from 'fast-check';
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
  expect(ranked([[second], [first]], 2)).toEqual([first.id, second.id]);
  expect(ranked([[first], [second]], 2)).toEqual([first.id, second.id]);
});

test('what several searches found counts once, as its best match', () => {
  const typed = [match('b'), match('a', { slips: 1 })];
  const sound = [match('b', { relevance: 0.9 })];
  expect(ranked([[match('a', { tier: 0 })], typed, sound], 9)).toEqual(['a', 'b']);
});

test('the beginnings of lists are enough for the beginning of the order, even of lists that are in none', () => {
  const list = fc.uniqueArray(
    fc.record({
      id: fc.nat(15).map(String),
      tier: fc.nat(1),
      slips: fc.nat(1),
      relevance: fc.nat(3),
      score: fc.nat(3),
    }),
    { selector: ({ id }) => id },
  );
  fc.assert(
    fc.property(fc.array(list, { maxLength: 4 }), fc.nat(16), (lists, count) => {
      const beginnings = lists.map((matches) => matches.slice(0, count));
      expect(ranked(beginnings, count)).toEqual(ranked(lists, 16).slice(0, count));
    }),
  );
});
