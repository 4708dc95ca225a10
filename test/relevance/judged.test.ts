import { join } from 'node:path';

import { test } from 'vitest';

import { openSqliteSearch } from '../../src/stores/search/sqlite.ts';
import { temporaryFolder } from '../support/folder.ts';
import { answersOf, expectGood } from './judging.ts';
import { sampleEntries } from './sample.ts';

const folder = temporaryFolder();
const INDEX = 'listings@1';

test('answers to the judged queries are as good as they have to be', async ({ annotate }) => {
  await using search = openSqliteSearch(join(folder, 'search.db'));
  await search.declare(INDEX);
  await search.put(INDEX, sampleEntries());
  await annotate(expectGood('SQLite', await answersOf(search, INDEX)));
});
