import { expect } from 'vitest';

import { RetryableError } from '../../src/platform/errors.ts';
import { nameKey, searchWords } from '../../src/platform/text/search-text.ts';
import { transliterate } from '../../src/platform/text/transliterate.ts';
import type { Hits, Search, SearchEntry, SearchQuery } from '../../src/stores/search/port.ts';

/** What the search contract is written with. */

/** What an engine offers to the suite. Every client is on the same storage; the suite disposes of what it opens. */
export interface SearchFactory {
  /** A new client. */
  open(): Promise<Search>;
  /** Makes changes impossible for every client until healed; a client gives up within a test's time. */
  cut(): Promise<{ heal(): Promise<void> }>;
}

/** Clients and indexes for one test. */
export interface Bench {
  /**
   * Another one with each call. Tests have them one after the other, since starting one (a thread, the check of a file)
   * costs more than most tests do; so a test leaves them as they were.
   */
  readonly client: () => Promise<Search>;
  /** A new one, which no other test has and this one may dispose of. */
  readonly freshClient: () => Promise<Search>;
  readonly cut: () => Promise<{ heal(): Promise<void> }>;
  /** An index of a name that no other test has, holding these entries. */
  readonly index: (search: Search, ...entries: readonly SearchEntry[]) => Promise<string>;
  /** A client with such an index. */
  readonly filled: (
    ...entries: readonly SearchEntry[]
  ) => Promise<{ readonly search: Search; readonly name: string }>;
  /** A name that no other test has. */
  readonly unused: () => string;
}

export interface Described {
  readonly username?: string;
  readonly titles?: readonly string[];
  readonly texts?: readonly string[];
  readonly kind?: string;
  readonly subtype?: string;
  readonly category?: string | null;
  readonly score?: number;
}

/** An entry as a listing would have it. */
export function entry(id: string, described: Described = {}): SearchEntry {
  const { username = id, titles = [], texts = [], kind = 'channel', subtype } = described;
  const { category = null, score = 50 } = described;
  const words = (list: readonly string[]) => distinct(list.map((text) => searchWords(text).join(' ')));
  const sounds = (list: readonly string[]) =>
    distinct(list.map((text) => text.split(' ').map(transliterate).filter(Boolean).join(' ')));
  const names = words([username, ...titles]);
  const searched = words(texts);
  return {
    id,
    kind,
    ...(subtype === undefined ? {} : { subtype }),
    category,
    score,
    exact: distinct([username, ...titles].map(nameKey)),
    names,
    texts: searched,
    transliterated: { names: sounds(names), texts: sounds(searched) },
  };
}

/** Many entries with a word in common. Neighbours in the list share scores and kinds with others far away. */
export function many(
  count: number,
  described: (at: number) => Described = () => ({}),
): readonly SearchEntry[] {
  return Array.from({ length: count }, (_, at) =>
    entry(`id-${String((at * 7919) % count).padStart(5, '0')}`, {
      titles: [`Common Name ${at}`],
      score: (at * 31) % 97,
      ...described(at),
    }),
  );
}

export type Asked = Partial<Omit<SearchQuery, 'q'>>;

export async function hits(
  search: Search,
  index: string,
  q: string,
  asked: Asked = {},
): Promise<Omit<Hits, 'seals'>> {
  const query = { q, filter: {}, exclude: [], offset: 0, limit: 50, ...asked };
  const { seals: _seals, ...found } = await search.query(index, query);
  return found;
}

export async function ids(
  search: Search,
  index: string,
  q: string,
  asked: Asked = {},
): Promise<readonly string[]> {
  return (await hits(search, index, q, asked)).ids;
}

/** A query, and the titles that it finds, in their order; others that are there are neither found nor counted. */
export interface Order {
  readonly q: string;
  readonly found: readonly string[];
  readonly others?: readonly string[];
}

/** Each entry has a better score than those before it, so that no score makes the order. */
export async function expectOrder(filled: Bench['filled'], { q, found, others = [] }: Order): Promise<void> {
  const titled = [...found, ...others].map((title, at) => entry(`id-${at}`, { titles: [title], score: at }));
  const { search, name } = await filled(...titled);
  const expected = { ids: found.map((_title, at) => `id-${at}`), total: found.length };
  expect(await hits(search, name, q)).toMatchObject(expected);
}

/** Every page, one after the other; each says the same total. */
export async function walk(
  search: Search,
  index: string,
  q: string,
  asked: Asked = {},
): Promise<readonly string[]> {
  const first = await hits(search, index, q, asked);
  const found = [...first.ids];
  for (let offset = 50; offset < first.total; offset += 50) {
    const page = await hits(search, index, q, { ...asked, offset });
    expect(page).toMatchObject({ total: first.total, totalIsExact: first.totalIsExact });
    found.push(...page.ids);
  }
  expect(found).toHaveLength(first.total);
  return found;
}

/** What an index holds: digests by id, in the order told. */
export async function contents(search: Search, index: string): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for await (const batch of search.contents(index)) {
    for (const { id, digest } of batch) {
      expect(found.has(id)).toBe(false);
      found.set(id, digest);
    }
  }
  return found;
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].filter((text) => text !== '');
}

/** Tries again what may pass, as callers of the port do: on a busy machine one waits too long for the others. */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (thrown) {
      if (!(thrown instanceof RetryableError)) throw thrown;
    }
  }
}
