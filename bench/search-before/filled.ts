import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import type * as Entries from '../../projections/listings/search.ts';
import type * as InMeilisearch from '../../src/stores/search/meilisearch/search.ts';
import type { Search } from '../../src/stores/search/port.ts';
import type * as Sqlite from '../../src/stores/search/sqlite.ts';
import type { Stores } from '../stores.ts';
import type { Simulated } from './views.ts';

export const INDEX = 'listings@1';
/** A task of this many entries is done before the next one is given. */
const BATCH = 10_000;
/** For a task of so many, in milliseconds. */
const TASK_MS = 600_000;

/** The index of a release, filled with these entries. `file` is where it is kept, if it is kept in one. */
export async function filled(
  release: string,
  file: string,
  { search: server }: Pick<Stores, 'search'>,
  views: readonly Simulated[],
): Promise<Search> {
  const load = async (path: string): Promise<unknown> =>
    await import(pathToFileURL(join(release, path)).href);
  const { searchEntry } = (await load('projections/listings/search.ts')) as typeof Entries;
  const open = async (): Promise<Search> => {
    if (server === null) {
      const { openSqliteSearch } = (await load('src/stores/search/sqlite.ts')) as typeof Sqlite;
      return openSqliteSearch(file);
    }
    const { openMeilisearch } = (await load(
      'src/stores/search/meilisearch/search.ts',
    )) as typeof InMeilisearch;
    const prefix = `bench-${randomUUID().slice(0, 8)}-`;
    return droppedAtTheEnd(openMeilisearch(server.url, { key: server.key, prefix, taskMs: TASK_MS }));
  };
  const search = await open();
  await search.declare(INDEX);
  for (let at = 0; at < views.length; at += BATCH) {
    const batch = views.slice(at, at + BATCH).flatMap(({ slug, view }) => searchEntry(slug, view) ?? []);
    const applied = await search.put(INDEX, batch);
    if (applied.outcome === 'failed') throw new Error(applied.reason);
  }
  return search;
}

/** A server has other indexes too: nothing is left behind there. */
function droppedAtTheEnd(search: Search): Search {
  return {
    ...search,
    [Symbol.asyncDispose]: async () => {
      await search.drop(INDEX);
      await search[Symbol.asyncDispose]();
    },
  };
}
