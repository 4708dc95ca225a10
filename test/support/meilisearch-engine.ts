import { randomUUID } from 'node:crypto';

import { inject } from 'vitest';

import { openMeilisearch } from '../../src/stores/search/meilisearch/search.ts';
import type { SearchEngine } from './search-engine.ts';
import { testKey } from './services/meilisearch.ts';

/** The Meilisearch of this run, or what stands in for it. What a client has put there goes with the client. */
export function meilisearchHere(): SearchEngine {
  const url = inject('services')['meilisearch']?.url ?? null;
  return {
    name: 'Meilisearch',
    isHere: url !== null,
    open: () => {
      const prefix = `suite-${randomUUID().slice(0, 8)}-`;
      const search = openMeilisearch(url ?? '', { key: testKey(), prefix });
      return {
        ...search,
        [Symbol.asyncDispose]: async () => {
          for (const index of await search.indexes()) await search.drop(index);
          await search[Symbol.asyncDispose]();
        },
      };
    },
  };
}
