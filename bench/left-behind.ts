import { MongoClient } from 'mongodb';

import { openMeilisearch } from '../src/stores/search/meilisearch/search.ts';

/** Where a stage has put what it measured. */
export interface Shared {
  readonly documentsUrl: string;
  readonly search: { readonly url: string; readonly key: string | null };
}

/** Drops the databases and the indexes whose names begin so: services are shared, and slower the more they hold. */
export async function dropNamed(own: string, { documentsUrl, search: { url, key } }: Shared): Promise<void> {
  const client = new MongoClient(documentsUrl);
  try {
    const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true });
    for (const { name } of databases) if (name.startsWith(own)) await client.db(name).dropDatabase();
  } finally {
    await client.close();
  }
  await using search = openMeilisearch(url, { key, prefix: `${own}-`, taskMs: 120_000 });
  for (const index of await search.indexes()) await search.drop(index);
}
