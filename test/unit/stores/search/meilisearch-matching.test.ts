import { expect, test } from 'vitest';

import { answer } from '../../../../src/stores/search/meilisearch/answer-query.ts';
import { storedOf } from '../../../../src/stores/search/meilisearch/stored-entry.ts';
import type { List, Search } from '../../../../src/stores/search/meilisearch/search-requests.ts';
import { entry } from '../../../contracts/search-bench.ts';

/** Asks an engine in which so many entries have the very name, and tells what it was asked. */
async function requests(q: string, total: number, filter = {}): Promise<readonly (readonly Search[])[]> {
  const hit = storedOf(entry('a', { titles: [q] }));
  const asked: (readonly Search[])[] = [];
  const ask = async (searches: readonly Search[]): Promise<readonly List[]> => {
    asked.push(searches);
    return searches.map(({ limit = 20 }) => ({ hits: many(Math.min(total, limit)), total }));
  };
  const many = (count: number): List['hits'] =>
    Array.from({ length: count }, (_, at) => ({ ...hit, id: `a-${at}` }));
  await answer('uid', { q, filter, exclude: [], offset: 0, limit: 50 }, ask);
  return asked;
}

const QUERIES = [
  'rust',
  '!!',
  'ghbdtn vbh',
  'один два три четыре пять шесть семь восемь девять десять одиннадцать',
  'чат бот канал',
  '@name',
  'a "b" -c',
];

test.for([0, 3, 25, 26, 100, 101, 9999])(
  'with %i matches a query takes two requests, of eight searches together',
  async (total) => {
    for (const q of QUERIES) {
      for (const filter of [{}, { kind: 'bot' }]) {
        const asked = await requests(q, total, filter);
        expect(asked.length).toBeLessThanOrEqual(2);
        expect(asked.flat().length).toBeLessThanOrEqual(8);
      }
    }
  },
);

test('what is searched beside filters is made of letters and digits', async () => {
  for (const q of QUERIES) {
    for (const { q: typed } of (await requests(q, 0)).flat()) {
      expect(typed).toMatch(/^(?:[\p{L}\p{N}\p{M}]+ ?)*$/u);
    }
  }
});
