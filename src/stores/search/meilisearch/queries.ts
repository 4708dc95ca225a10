import { checkIndex, missing } from '../checks.ts';
import type { Content, Hits, SearchQuery } from '../port.ts';
import { answer } from './answering.ts';
import type { MeilisearchConnection } from './connection.ts';
import { codeOf } from './errors.ts';
import { and, IS_A_SEAL, IS_OURS, isAfter } from './filters.ts';
import { type Ask, type Found, listOf, sealsOf } from './found.ts';
import { type Search, search, withSeals } from './searches.ts';
import { uidOf } from './uid.ts';

const SCANNED = 1000;

/** What an index without our settings, or no index, answers to a search of ours. */
const LACKING: ReadonlySet<string> = new Set([
  'index_not_found',
  'invalid_search_filter',
  'invalid_search_facets',
  'invalid_search_attributes_to_search_on',
  'invalid_search_sort',
  'invalid_multi_search_filter',
]);

/** Queries, each answered by one request or two. Without state. */
export class MeilisearchQueries {
  readonly #connection: MeilisearchConnection;

  constructor(connection: MeilisearchConnection) {
    this.#connection = connection;
  }

  async query(index: string, query: SearchQuery): Promise<Hits> {
    const seals: (readonly string[])[] = [];
    const ask: Ask = async (searches) => {
      const found = await this.#search(index, searches);
      seals.push(sealsOf(found.at(-1)));
      return found.map(listOf);
    };
    const answered = await answer(uidOf(index), query, ask);
    return { ...answered, seals: inAll(seals) };
  }

  async seals(index: string): Promise<readonly string[] | null> {
    try {
      const [found] = await this.#answer([search(uidOf(index), IS_A_SEAL, 0)]);
      return sealsOf(found).toSorted();
    } catch (thrown) {
      if (LACKING.has(codeOf(thrown) ?? '')) return null;
      throw thrown;
    }
  }

  async *contents(index: string, atOnce: number = SCANNED): AsyncGenerator<readonly Content[]> {
    checkIndex(index);
    const limit = Math.min(atOnce, SCANNED);
    for (let after: string | null = null; ;) {
      const batch: readonly Content[] = await this.#connection.run(() => this.#scanned(index, after, limit));
      if (batch.length > 0) yield batch;
      after = batch.at(-1)?.id ?? null;
      if (batch.length < limit) return;
    }
  }

  /** A search of nothing: it is answered to every key that may search. */
  async check(): Promise<void> {
    await this.#connection.run(() =>
      this.#connection.request((client) => client.multiSearch({ queries: [] })),
    );
  }

  async #search(index: string, searches: readonly Search[]): Promise<readonly Found[]> {
    try {
      return await this.#answer(searches);
    } catch (thrown) {
      throw LACKING.has(codeOf(thrown) ?? '') ? missing(index, thrown) : thrown;
    }
  }

  /**
   * One request for all of them. It is answered in order, each search by the index as it is by then. The last one tells
   * the seals: what was found before was of an index that had them, or had lost them on the way, and then they are not there.
   */
  async #answer(searches: readonly Search[]): Promise<readonly Found[]> {
    const queries = searches.map((one, at) => (at === searches.length - 1 ? withSeals(one) : one));
    const { results } = await this.#connection.request((client) => client.multiSearch({ queries }));
    return results;
  }

  /** A query for each batch, from where the last one ended: nothing is skipped where entries come and go. */
  async #scanned(index: string, after: string | null, limit: number): Promise<readonly Content[]> {
    try {
      const { hits } = await this.#connection.request((client) =>
        client.index(uidOf(index)).search('', {
          filter: after === null ? IS_OURS : and([IS_OURS, isAfter('key', after)]),
          sort: ['key:asc'],
          limit,
          attributesToRetrieve: ['id', 'digest'],
        }),
      );
      return hits.map((hit) => ({ id: String(hit['id']), digest: String(hit['digest']) }));
    } catch (thrown) {
      if (LACKING.has(codeOf(thrown) ?? '')) return [];
      throw thrown;
    }
  }
}

/** A query of several requests is answered by one state of the index only as far as all of them found the same seals. */
function inAll(lists: readonly (readonly string[])[]): readonly string[] {
  const [first = [], ...others] = lists;
  return first.filter((seal) => others.every((list) => list.includes(seal))).toSorted();
}
