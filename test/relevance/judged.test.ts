import { join } from 'node:path';

import { expect, test } from 'vitest';

import { openSqliteSearch } from '../../src/stores/search/sqlite.ts';
import { temporaryFolder } from '../support/folder.ts';
import { answersOf, qualityOf, reportOf } from './judging.ts';
import { sampleEntries } from './sample.ts';

const folder = temporaryFolder();
const INDEX = 'listings@1';

/** Just below what is reached. The goals are an nDCG of 0.85 (no class below 0.6), 3 % of empty answers, 10 % of noise. */
const LEAST_NDCG = 0.875;
const MOST_EMPTY = 0.03;
const MOST_NOISE = 0.1;

test('answers to the judged queries are no worse than they were', async ({ annotate }) => {
  await using search = openSqliteSearch(join(folder, 'search.db'));
  await search.declare(INDEX);
  await search.put(INDEX, sampleEntries());
  const answers = await answersOf(search, INDEX);
  const report = reportOf('SQLite', answers);
  await annotate(report);
  const { ndcg, empty, noise } = qualityOf(answers);
  expect(ndcg, report).toBeGreaterThanOrEqual(LEAST_NDCG);
  expect(empty, report).toBeLessThanOrEqual(MOST_EMPTY);
  expect(noise, report).toBeLessThanOrEqual(MOST_NOISE);
});
