import { join } from 'node:path';

import { expect, test } from 'vitest';

import { openSqliteSearch } from '../../src/stores/search/sqlite.ts';
import { temporaryFolder } from '../support/folder.ts';
import { forAllTests } from '../support/for-each-test.ts';
import { answersOf, expectGood, qualityOf, reportOf, SETS } from './judging.ts';
import { sampleEntries } from './sample.ts';

const INDEX = 'listings@1';
/** Without the generated texts. */
const LEAST_BARE = { judged: 0.85, blind: 0.85, third: 0.65 };

const filled = (entries: () => ReturnType<typeof sampleEntries>) =>
  forAllTests(async () => {
    const search = openSqliteSearch(join(temporaryFolder(), 'search.db'));
    await search.declare(INDEX);
    await search.put(INDEX, entries());
    return search;
  });
const whole = filled(() => sampleEntries());
const bare = filled(() => sampleEntries({ hasTexts: false }));

test.for(SETS)('answers to the %s queries are as good as they have to be', async (set, { annotate }) => {
  await annotate(expectGood('SQLite', set, await answersOf(whole, INDEX, set)));
});

test.for(SETS)(
  'answers to the %s queries are nearly as good without the generated texts of the sample',
  async (set, { annotate }) => {
    const answers = await answersOf(bare, INDEX, set);
    const report = reportOf(`SQLite, ${set}, bare`, answers);
    await annotate(report);
    expect(qualityOf(answers).ndcg, report).toBeGreaterThanOrEqual(LEAST_BARE[set]);
  },
);
