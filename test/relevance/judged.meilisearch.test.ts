import { join } from 'node:path';

import { expect, inject, test } from 'vitest';

import { openMeilisearch } from '../../src/stores/search/meilisearch/search.ts';
import { openSqliteSearch } from '../../src/stores/search/sqlite.ts';
import { temporaryFolder } from '../support/folder.ts';
import { testKey } from '../support/services/meilisearch.ts';
import { type Answer, answersOf, expectGood, SETS } from './judging.ts';
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

/** How much of what one engine answers another answers too. */
interface Agreement {
  /** The share of the first ten that are among the first ten of the other, on average over queries with answers. */
  readonly firstTen: number;
  /** The share of queries of which both count different totals: names with slips are picked by each in its own way. */
  readonly otherTotals: number;
}

function agreementOf(answers: readonly Answer[], others: readonly Answer[]): Agreement {
  const shares: number[] = [];
  let different = 0;
  for (const [at, { ids, total }] of answers.entries()) {
    const other = others[at];
    if (total !== other?.total) different += 1;
    const first = new Set(other?.ids.slice(0, 10));
    if (first.size > 0) shares.push(ids.slice(0, 10).filter((id) => first.has(id)).length / first.size);
  }
  const firstTen = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  return { firstTen, otherTotals: different / answers.length };
}
