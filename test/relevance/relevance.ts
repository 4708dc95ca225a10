import { expect } from 'vitest';

import type { Search } from '../../src/stores/search/port.ts';
import { QUERIES, type RelevanceQuery } from './queries.ts';
import { sampleEntries } from './sample.ts';

/**
 * What people find in the shipped sample, in an index of its own. Of every 60 queries, 54 put the entry that is meant
 * first and 59 in the first five. Resolves with the misses, in text.
 */
export async function judgeRelevance(search: Search, index: string): Promise<string> {
  await search.declare(index);
  await search.put(index, sampleEntries());
  const places: (number | null)[] = [];
  for (const query of QUERIES) places.push(await placeOf(search, index, query));
  const first = places.filter((place) => place === 1).length;
  const firstFive = places.filter((place) => place !== null && place <= 5).length;
  const misses = QUERIES.flatMap((query, at) =>
    places[at] === 1 ? [] : [lineOf(query, places[at] ?? null)],
  );
  const report = [`${first} of ${QUERIES.length} first, ${firstFive} in the first five`, ...misses].join(
    '\n',
  );
  expect(QUERIES.length).toBeGreaterThanOrEqual(60);
  expect(first / QUERIES.length, report).toBeGreaterThanOrEqual(54 / 60);
  expect(firstFive / QUERIES.length, report).toBeGreaterThanOrEqual(59 / 60);
  return report;
}

/** The place of the entry that is meant, from 1; null where it is not among the first 50. */
async function placeOf(
  search: Search,
  index: string,
  { q, expected, kind, category }: RelevanceQuery,
): Promise<number | null> {
  const filter = {
    ...(kind === undefined ? {} : { kind }),
    ...(category === undefined ? {} : { categories: [category] }),
  };
  const { ids } = await search.query(index, { q, filter, exclude: [], offset: 0, limit: 50 });
  const place = ids.indexOf(expected);
  return place === -1 ? null : place + 1;
}

function lineOf({ q, expected }: RelevanceQuery, place: number | null): string {
  return `${q}: ${expected} is ${place === null ? 'not found' : `number ${place}`}`;
}
