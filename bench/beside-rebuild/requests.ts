import { createRandom, oneOf } from '../../src/sample/random.ts';
import type { Catalog } from '../catalog.ts';
import { inTurns } from '../load/generator.ts';
import type { Request } from '../load/messages.ts';
import { makeQuery } from '../queries.ts';

const REQUESTS_OF_A_KEY = 1000;

/** What readers ask for: of a hundred, 85 listings, 7 tops, 5 lists of categories, 3 searches. */
export async function readersRequests(catalog: Catalog, count: number): Promise<readonly Request[]> {
  const keys = await catalog.keys(Math.ceil(count / REQUESTS_OF_A_KEY));
  const random = createRandom('readers');
  const { entries } = catalog;
  const listing = (): string => {
    // Few entries are asked for often, most of them rarely.
    const at = Math.floor(entries.length ** random.uniform());
    return `/listings/${entries[at % entries.length]?.slug}`;
  };
  const search = (): string => {
    const { q, kind } = makeQuery(oneOf(random, entries), random);
    return `/search?${String(new URLSearchParams({ q, ...(kind === null ? {} : { kind }) }))}`;
  };
  const path = (): string => {
    const share = random.uniform();
    if (share < 0.85) return listing();
    if (share < 0.92) return share < 0.9 ? '/top?limit=20' : '/top?limit=100';
    return share < 0.97 ? '/categories' : search();
  };
  return inTurns(keys, Array.from({ length: count }, path));
}
