import { checkIndex, missing } from '../checks.ts';
import { type Content, type Hits, MAX_TOTAL, type SearchQuery } from '../port.ts';
import type { MeilisearchConnection } from './connection.ts';
import { codeOf } from './errors.ts';
import { all, IS_A_SEAL, IS_OURS, isAfter } from './filters.ts';
import { type Found, listed, totalOf } from './lists.ts';
import { spellingsOf } from './matching.ts';
import type { Search } from './requests.ts';
import { ranked } from './ranking.ts';
import { sealOfId } from './stored.ts';
import { uidOf } from './uid.ts';

const SCANNED = 1000;
/** A feeder takes old seals away: there are hardly ever more than two. */
const MAX_SEALS = 100;

/** What an index without our settings, or no index, answers to a search of ours. */
const LACKING: ReadonlySet<string> = new Set([
  'index_not_found',
  'invalid_search_filter',
  'invalid_search_facets',
  'invalid_search_attributes_to_search_on',
  'invalid_search_sort',
  'invalid_multi_search_filter',
]);

/** What one request found: of each search, and the seals that the index had after all of them. */
interface Answer {
  readonly found: readonly Found[];
  readonly seals: ReadonlySet<string>;
}

/** Queries, each answered from the beginnings of what its spellings find. Without state. */
export class MeilisearchQueries {
  readonly #connection: MeilisearchConnection;

  constructor(connection: MeilisearchConnection) {
    this.#connection = connection;
  }

  async query(index: string, query: SearchQuery): Promise<Hits> {
    const spellings = spellingsOf(uidOf(index), query);
    const answers: Answer[] = [];
    const ask = async (searches: readonly Search[]): Promise<readonly Found[]> => {
      const answer = await this.#search(index, searches);
      answers.push(answer);
      return answer.found;
    };
    const found = await ask(spellings.map(({ searches: [first] }) => first));
    const lists = await Promise.all(
      spellings.map(async (spelling, at) => await listed(ask, spelling, found[at])),
    );
    const total = await totalOf(ask, lists);
    const end = Math.min(query.offset + query.limit, MAX_TOTAL);
    const matches = lists.map((list) => list.matches);
    return {
      ids: ranked(matches, end).slice(query.offset),
      total: Math.min(total, MAX_TOTAL),
      totalIsExact: total <= MAX_TOTAL,
      seals: inAll(answers.map(({ seals }) => seals)),
    };
  }

  async seals(index: string): Promise<readonly string[] | null> {
    try {
      return [...(await this.#answer(index, [])).seals].toSorted();
    } catch (thrown) {
      if (LACKING.has(codeOf(thrown) ?? '')) return null;
      throw thrown;
    }
  }

  async *contents(index: string): AsyncGenerator<readonly Content[]> {
    checkIndex(index);
    for (let after: string | null = null; ;) {
      const batch: readonly Content[] = await this.#connection.run(() => this.#scanned(index, after));
      if (batch.length > 0) yield batch;
      after = batch.at(-1)?.id ?? null;
      if (batch.length < SCANNED) return;
    }
  }

  /** A search of nothing: it is answered to every key that may search. */
  async check(): Promise<void> {
    await this.#connection.run(() =>
      this.#connection.request((client) => client.multiSearch({ queries: [] })),
    );
  }

  async #search(index: string, searches: readonly Search[]): Promise<Answer> {
    try {
      return await this.#answer(index, searches);
    } catch (thrown) {
      throw LACKING.has(codeOf(thrown) ?? '') ? missing(index, thrown) : thrown;
    }
  }

  /**
   * One request for all of them. It is answered in order, each search by the index as it is by then: what was found
   * before the seals were is of an index that had them, or had lost them on the way, and then they are not there.
   */
  async #answer(index: string, searches: readonly Search[]): Promise<Answer> {
    const seals = {
      indexUid: uidOf(index),
      q: '',
      filter: IS_A_SEAL,
      limit: MAX_SEALS,
      attributesToRetrieve: ['id'],
    };
    const { results } = await this.#connection.request((client) =>
      client.multiSearch({ queries: [...searches, seals] }),
    );
    const ids = (results.at(-1)?.hits ?? []).map((hit) => String(hit['id']));
    return { found: results.slice(0, -1), seals: new Set(ids.map(sealOfId)) };
  }

  /** A query for each batch, from where the last one ended: nothing is skipped where entries come and go. */
  async #scanned(index: string, after: string | null): Promise<readonly Content[]> {
    try {
      const { hits } = await this.#connection.request((client) =>
        client.index(uidOf(index)).search('', {
          filter: after === null ? IS_OURS : all(IS_OURS, isAfter('key', after)),
          sort: ['key:asc'],
          limit: SCANNED,
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
function inAll(sets: readonly ReadonlySet<string>[]): readonly string[] {
  const [first = new Set<string>(), ...others] = sets;
  return [...first].filter((seal) => others.every((set) => set.has(seal))).sort();
}
