import type { Meilisearch } from 'meilisearch';

import { missing } from '../checks.ts';
import type { Content, Hits, SearchQuery } from '../port.ts';
import { answer } from './answer-query.ts';
import type { MeilisearchConnection } from './connection.ts';
import { codeOf } from './errors.ts';
import { and, IS_A_SEAL, IS_OURS, isBehind } from './filters.ts';
import {
  type Ask,
  listOf,
  type QueryResult,
  sealsOf,
  type Search,
  search,
  withSeals,
} from './search-requests.ts';
import { uidOf } from './term-encoding.ts';

/** Entries in a batch of contents. */
export const SCANNED = 1000;

/** What an index without our settings, or no index, answers to a search of ours. */
const LACKING: ReadonlySet<string> = new Set([
  'index_not_found',
  'invalid_search_filter',
  'invalid_search_facets',
  'invalid_search_attributes_to_search_on',
  'invalid_search_sort',
  'invalid_multi_search_filter',
]);

/** What is read of an index: a query is answered by one request or two. */
export function readsOf(connection: MeilisearchConnection, name: string) {
  const uid = uidOf(name);

  /** Null where there is no index, or one without our settings. */
  async function orLacking<T>(ask: (client: Meilisearch) => Promise<T>): Promise<T | null> {
    try {
      return await connection.request(ask);
    } catch (thrown) {
      if (LACKING.has(codeOf(thrown) ?? '')) return null;
      throw thrown;
    }
  }

  /**
   * One request for all of them. It is answered in order, each search by the index as it is by then. The last one tells
   * the seals: what was found before was of an index that had them, or had lost them on the way, and then they are not there.
   */
  async function answerAll(searches: readonly Search[]): Promise<readonly QueryResult[] | null> {
    const queries = searches.map((one, at) => (at === searches.length - 1 ? withSeals(one) : one));
    const answered = await orLacking((client) => client.multiSearch({ queries }));
    return answered && answered.results;
  }

  return {
    query: async (query: SearchQuery): Promise<Hits> => {
      const seals: (readonly string[])[] = [];
      const ask: Ask = async (searches) => {
        const found = await answerAll(searches);
        if (found === null) throw missing(name);
        seals.push(sealsOf(found.at(-1)));
        return found.map(listOf);
      };
      const answered = await answer(uid, query, ask);
      return { ...answered, seals: inAll(seals) };
    },
    seals: async (): Promise<readonly string[] | null> => {
      const found = await answerAll([search(uid, IS_A_SEAL, 0)]);
      return found && sealsOf(found[0]).toSorted();
    },
    /** At most `SCANNED` of them, behind the id `after`; from the beginning where that is empty. */
    contents: async (after: string): Promise<readonly Content[]> => {
      const filter = and([IS_OURS, ...(after === '' ? [] : [isBehind(after)])]);
      const asked = { filter, sort: ['key:asc'], limit: SCANNED, attributesToRetrieve: ['id', 'digest'] };
      const found = await orLacking((client) => client.index(uid).search('', asked));
      return (found?.hits ?? []).map(({ id, digest }) => ({ id: String(id), digest: String(digest) }));
    },
  };
}

/** A query of several requests is answered by one state of the index only as far as all of them found the same seals. */
function inAll(lists: readonly (readonly string[])[]): readonly string[] {
  const [first = [], ...others] = lists;
  return first.filter((seal) => others.every((list) => list.includes(seal))).toSorted();
}
