import { createRandom, type Random } from '../../src/sample/random.ts';
import type { Entry } from '../filling.ts';
import type { Request } from '../load/messages.ts';
import { makeQuery } from '../queries.ts';

/** Zipf's exponents: how much the first ones are asked for more often than the others. */
const OF_KEYS = 0.9;
const OF_ENTRIES = 0.8;
/** A key's day, less what is asked for beside the load. */
const OF_DAY = 900;

/** Who asks for what. */
export interface Readers {
  readonly keys: readonly string[];
  readonly entries: readonly Entry[];
  /** The tags of the first entries, as far as readers know them. */
  readonly tags: readonly string[];
  readonly withSearch: boolean;
}

/** What a good server answers them with: unknown slugs and bad keys are a part of the load. */
export const STATUSES = [200, 304, 401, 404];

/** So many requests as the contract allows them: the same ones for the same readers, whoever is asked. */
export function contractRequests(count: number, readers: Readers): readonly Request[] {
  const { keys, entries, tags, withSearch } = readers;
  const random = createRandom('C1');
  const used = new Uint16Array(keys.length);
  const nextKey = (): string => {
    let index = zipf(random, keys.length, OF_KEYS);
    while ((used[index] ?? OF_DAY) >= OF_DAY) index = zipf(random, keys.length, OF_KEYS);
    used[index] = (used[index] ?? 0) + 1;
    return keys[index] ?? '';
  };
  const entry = (): Entry => entries[zipf(random, entries.length, OF_ENTRIES)] as Entry;
  const request = (path: string, key = nextKey(), more = {}): Request => ({
    path: `/api/v1${path}`,
    headers: { 'x-api-key': key, ...more },
  });
  return Array.from({ length: count }, (_, index): Request => {
    const share = random.uniform() * (withSearch ? 1 : 0.8);
    if (share < 0.4) return request(`/listings/${entry().slug}`);
    if (share < 0.6) {
      const known = zipf(random, tags.length, OF_ENTRIES);
      return request(`/listings/${entries[known]?.slug}`, nextKey(), { 'if-none-match': tags[known] ?? '' });
    }
    if (share < 0.68) return request('/top?limit=20');
    if (share < 0.72) return request('/categories');
    if (share < 0.75) return request('/status');
    if (share < 0.78) return request(`/listings/nobody-${index}`);
    if (share < 0.8) return request(`/listings/${entry().slug}`, `bad-${index}`);
    return request(`/search?${String(new URLSearchParams({ q: makeQuery(entry(), random).q }))}`);
  });
}

/** A place in a list, which is drawn `1 / place^s` times as often as the first; along a curve, not by steps. */
function zipf(random: Random, count: number, s: number): number {
  return Math.floor((1 + random.uniform() * ((count + 1) ** (1 - s) - 1)) ** (1 / (1 - s))) - 1;
}
