import { join } from 'node:path';

import { expect, inject, test } from 'vitest';

import { openMeilisearch } from '../../src/stores/search/meilisearch/search.ts';
import { openSqliteSearch } from '../../src/stores/search/sqlite.ts';
import { temporaryFolder } from '../support/folder.ts';
import { testKey } from '../support/services/meilisearch.ts';
import { agreementOf } from './agreement.ts';
import { answersOf, expectGood, SETS } from './judging.ts';
import { sampleEntries } from './sample.ts';

const service = inject('services')['meilisearch'];
const folder = temporaryFolder();

test('answers are as good on both engines, and mostly the same ones', async ({ annotate, skip }) => {
  if (typeof service?.url !== 'string') return skip('NOT RUN: there is no Meilisearch');
  if (service.from === 'stand-in') return skip('NOT RUN: how a stand-in ranks tells nothing of Meilisearch');
  const index = `judged-${process.pid}@1`;
  await using meilisearch = openMeilisearch(service.url, { key: testKey() });
  await using sqlite = openSqliteSearch(join(folder, 'search.db'));
  for (const search of [meilisearch, sqlite]) {
    await search.declare(index);
    await search.put(index, sampleEntries());
  }
  try {
    for (const set of SETS) {
      const answers = await answersOf(meilisearch, index, set);
      await annotate(expectGood('Meilisearch', set, answers));
      const others = await answersOf(sqlite, index, set);
      const agreement = agreementOf(answers, others);
      await annotate(`${set}: ${JSON.stringify(agreement)}`);
      // Lists of more than a hundred keep the order of the score.
      expect(agreement.firstTen).toBeGreaterThanOrEqual(0.93);
      expect(agreement.otherTotals).toBeLessThanOrEqual(0.03);
    }
  } finally {
    await meilisearch.drop(index);
  }
});
