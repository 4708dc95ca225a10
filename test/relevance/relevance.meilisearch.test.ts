import { inject, test } from 'vitest';

import { openMeilisearch } from '../../src/stores/search/meilisearch/search.ts';
import { testKey } from '../support/services/meilisearch.ts';
import { judgeRelevance } from './relevance.ts';

const service = inject('services')['meilisearch'];

test('people find what they mean, first or at least among the first five', async ({ annotate, skip }) => {
  if (typeof service?.url !== 'string') return skip('NOT RUN: there is no Meilisearch');
  if (service.from === 'stand-in') return skip('NOT RUN: how a stand-in ranks tells nothing of Meilisearch');
  const index = `relevance-${process.pid}@1`;
  await using search = openMeilisearch(service.url, { key: testKey() });
  try {
    await annotate(await judgeRelevance(search, index));
  } finally {
    await search.drop(index);
  }
});
