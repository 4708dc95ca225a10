import type { MultiSearchResult, RecordAny } from 'meilisearch';

import { checkIndex } from '../checks.ts';
import { type Content, type Hits, MAX_TOTAL, type SearchQuery } from '../port.ts';
import type { MeilisearchConnection } from './connection.ts';
import { codeOf } from './errors.ts';
import { all, IS_OURS, isAfter, isOneOf } from './filters.ts';
import { type Search, type Spelling, spellingsOf } from './matching.ts';
import { missing } from './missing.ts';
import { uidOf } from './names.ts';
import { type Match, ranked } from './ranking.ts';

const SCANNED = 1000;

/** What an index without our settings, or no index, answers to a search of ours. */
const LACKING: ReadonlySet<string> = new Set([
  'index_not_found',
  'invalid_search_filter',
  'invalid_search_attributes_to_search_on',
  'invalid_search_sort',
  'invalid_multi_search_filter',
]);

type Found = MultiSearchResult<RecordAny>;

/** Queries, each answered from all of its matches, at most one more than can be reached. Without state. */
export class MeilisearchQueries {
  readonly #connection: MeilisearchConnection;

  constructor(connection: MeilisearchConnection) {
    this.#connection = connection;
  }

  async query(index: string, query: SearchQuery): Promise<Hits> {
    const spellings = spellingsOf(uidOf(index), query);
    const found = await this.#search(
      index,
      spellings.map(({ searches: [first] }) => first),
    );
    const matches = await Promise.all(
      spellings.map(async (spelling, at) => {
        return await this.#narrowed(index, spelling, matchesIn(found[at], spelling.tier));
      }),
    );
    const ids = ranked(matches.flat());
    return {
      ids: ids.slice(query.offset, Math.min(query.offset + query.limit, MAX_TOTAL)),
      total: Math.min(ids.length, MAX_TOTAL),
      totalIsExact: ids.length <= MAX_TOTAL,
    };
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

  /** A search of nothing: it is answered to whoever has the right to search. */
  async check(): Promise<void> {
    await this.#connection.run(() =>
      this.#connection.request((client) => client.multiSearch({ queries: [] })),
    );
  }

  /** Of what was found by the first words of a long query, what the others find too. */
  async #narrowed(
    index: string,
    { searches }: Spelling,
    matches: readonly Match[],
  ): Promise<readonly Match[]> {
    const [, ...others] = searches;
    if (others.length === 0 || matches.length === 0) return matches;
    const among = isOneOf(
      'key',
      matches.map(({ id }) => id),
    );
    const found = await this.#search(
      index,
      others.map((search) => ({ ...search, filter: all(String(search.filter), among) })),
    );
    const kept = found.map(({ hits }) => new Set(hits.map((hit) => String(hit['id']))));
    return matches.filter(({ id }) => kept.every((ids) => ids.has(id)));
  }

  /** One request for all of them. */
  async #search(index: string, queries: readonly Search[]): Promise<readonly Found[]> {
    try {
      const answer = await this.#connection.request((client) =>
        client.multiSearch({ queries: [...queries] }),
      );
      return answer.results;
    } catch (thrown) {
      throw LACKING.has(codeOf(thrown) ?? '') ? missing(index, thrown) : thrown;
    }
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

function matchesIn(found: Found | undefined, tier: number): readonly Match[] {
  return (found?.hits ?? []).map((hit) => ({
    id: String(hit['id']),
    score: Number(hit['score']),
    tier,
    slips: hit._rankingScoreDetails?.typo?.typoCount ?? 0,
    relevance: hit._rankingScore ?? 0,
  }));
}
