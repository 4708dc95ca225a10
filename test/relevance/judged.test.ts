import { join } from 'node:path';

import { expect, test } from 'vitest';

import { openSqliteSearch } from '../../src/stores/search/sqlite.ts';
import { temporaryFolder } from '../support/folder.ts';
import { answersOf, expectGood, qualityOf, reportOf } from './judging.ts';
import { sampleEntries } from './sample.ts';

const folder = temporaryFolder();
const INDEX = 'listings@1';

test('answers to the judged queries are as good as they have to be', async ({ annotate }) => {
  await using search = openSqliteSearch(join(folder, 'search.db'));
  await search.declare(INDEX);
  await search.put(INDEX, sampleEntries());
  await annotate(expectGood('SQLite', await answersOf(search, INDEX)));
});

test('answers are nearly as good without the generated texts of the sample', async ({ annotate }) => {
  await using search = openSqliteSearch(join(folder, 'bare.db'));
  await search.declare(INDEX);
  await search.put(INDEX, sampleEntries({ hasTexts: false }));
  const answers = await answersOf(search, INDEX);
  const report = reportOf('SQLite, bare', answers);
  await annotate(report);
  expect(qualityOf(answers).ndcg, report).toBeGreaterThanOrEqual(0.85);
});
