import type { MultiSearchResult, RecordAny } from 'meilisearch';

import { checkIndex } from '../checks.ts';
import { type Content, type Hits, MAX_TOTAL, type SearchQuery } from '../port.ts';
import type { MeilisearchConnection } from './connection.ts';
import { codeOf } from './errors.ts';
import { all, IS_OURS, isAfter, isOneOf, keyOf } from './filters.ts';
import { keysOf, type Search, type Spelling, spellingsOf } from './matching.ts';
import { missing } from './missing.ts';
import { uidOf } from './names.ts';
import { type Match, ranked } from './ranking.ts';

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

type Found = MultiSearchResult<RecordAny>;

/** What a spelling finds: its first matches, and how many there are, counted to one more than can be reached. */
interface List {
  readonly search: Search;
  readonly matches: readonly Match[];
  readonly total: number;
}

/** Queries, each answered from the beginnings of what its spellings find. Without state. */
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
    const lists = await Promise.all(
      spellings.map(async (spelling, at) => await this.#listed(index, spelling, found[at])),
    );
    const total = await this.#total(index, lists);
    const end = Math.min(query.offset + query.limit, MAX_TOTAL);
    const matches = lists.map((list) => list.matches);
    return {
      ids: ranked(matches, end).slice(query.offset),
      total: Math.min(total, MAX_TOTAL),
      totalIsExact: total <= MAX_TOTAL,
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

  async #listed(index: string, spelling: Spelling, found: Found | undefined): Promise<List> {
    const { tier, searches } = spelling;
    const [search, ...others] = searches;
    const matches = matchesIn(found, tier);
    if (others.length === 0) return { search, matches, total: found?.estimatedTotalHits ?? 0 };
    const narrowed = await this.#narrowed(index, others, matches);
    return { search, matches: narrowed, total: narrowed.length };
  }

  /** How many entries the lists have together. What their beginnings do not tell is asked for by keys. */
  async #total(index: string, lists: readonly List[]): Promise<number> {
    const filled = lists.filter(({ total }) => total > 0);
    const longest = Math.max(0, ...filled.map(({ total }) => total));
    if (longest > MAX_TOTAL || filled.length < 2) return longest;
    const keys = new Set(filled.flatMap(({ matches }) => matches.map(({ id }) => keyOf(id))));
    const cut = filled.filter(({ matches, total }) => matches.length < total);
    if (cut.length === 0) return keys.size;
    const found = await this.#search(
      index,
      cut.map(({ search }) => keysOf(search)),
    );
    for (const { facetDistribution } of found) {
      for (const key of Object.keys(facetDistribution?.['key'] ?? {})) keys.add(key);
    }
    return keys.size;
  }

  /** Of what was found by the first words of a long query, what the others find too. */
  async #narrowed(
    index: string,
    others: readonly Search[],
    matches: readonly Match[],
  ): Promise<readonly Match[]> {
    if (matches.length === 0) return matches;
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
