import { join } from 'node:path';

import { test } from 'vitest';

import { openSqliteSearch } from '../../src/stores/search/sqlite.ts';
import { LISTINGS } from '../support/collections.ts';
import { temporaryFolder } from '../support/folder.ts';
import { judgeRelevance } from './relevance.ts';

const folder = temporaryFolder();

test('people find what they mean, first or at least among the first five', async ({ annotate }) => {
  await using search = openSqliteSearch(join(folder, 'search.db'));
  await annotate(await judgeRelevance(search, LISTINGS));
});
