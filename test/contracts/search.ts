import { afterAll, afterEach, describe } from 'vitest';

import type { Search } from '../../src/stores/search/port.ts';
import type { Bench, SearchFactory } from './search-bench.ts';
import { describeChanges } from './search-changes.ts';
import { describeHostility } from './search-hostility.ts';
import { describeIndexes } from './search-indexes.ts';
import { describeMatching } from './search-matching.ts';
import { describeMeaning } from './search-meaning.ts';
import { describeSelecting } from './search-selecting.ts';

let indexes = 0;

/** The contract of the search port. Every adapter runs all of it, unchanged. */
export function searchContract(engine: string, factory: () => SearchFactory): void {
  describe(`search on ${engine}`, () => {
    const shared: Search[] = [];
    /** How many of them the test at hand has. */
    let taken = 0;
    const opened: Search[] = [];
    const unused = (): string => `i${process.pid}-${(indexes += 1)}@1`;
    const client: Bench['client'] = async () => {
      const search = (shared[taken] ??= await factory().open());
      taken += 1;
      return search;
    };
    const index: Bench['index'] = async (search, ...entries) => {
      const name = unused();
      await search.declare(name);
      await search.put(name, entries);
      return name;
    };
    const bench: Bench = {
      client,
      freshClient: async () => {
        const search = await factory().open();
        opened.push(search);
        return search;
      },
      cut: () => factory().cut(),
      index,
      filled: async (...entries) => {
        const search = await client();
        return { search, name: await index(search, ...entries) };
      },
      unused,
    };
    afterEach(async () => {
      taken = 0;
      for (const search of opened.splice(0)) await search[Symbol.asyncDispose]();
    });
    afterAll(async () => {
      for (const search of shared.splice(0)) await search[Symbol.asyncDispose]();
    });

    describeMatching(bench);
    describeMeaning(bench);
    describeSelecting(bench);
    describeHostility(bench);
    describeChanges(bench);
    describeIndexes(bench);
  });
}
