import type { MultiSearchQuery } from 'meilisearch';

/** A search as it is sent. */
export type Search = MultiSearchQuery;

/** The same search for all of its keys, unranked, which takes a tenth of the time: up to 2,500 are told. */
export function keysOf(asked: Search): Search {
  return { ...asked, limit: 0, facets: ['key'] };
}

export function search(uid: string, q: string, filter: string, limit: number): Search {
  return {
    indexUid: uid,
    q,
    filter,
    limit,
    matchingStrategy: 'all',
    attributesToRetrieve: ['id', 'score'],
  };
}
