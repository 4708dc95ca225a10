import { join } from 'node:path';

import { expect, test } from 'vitest';

import { openSqliteSearch } from '../../../../../src/stores/search/sqlite.ts';
import { entry } from '../../../../contracts/search-bench.ts';
import { temporaryFolder } from '../../../../support/folder.ts';

test('where one way of asking fills all that is counted, what a later one finds still comes first where it fits better', async () => {
  await using search = openSqliteSearch(join(temporaryFolder(), 'search.db'), { queueMs: 60_000 });
  await search.declare('many');
  const others = Array.from({ length: 2600 }, (_, at) =>
    entry(`a${at}`, { titles: [`all python news ${at}`] }),
  );
  const better = Array.from({ length: 30 }, (_, at) =>
    entry(`z${at}`, { titles: [`python новости z${at}`] }),
  );
  await search.put('many', [...others, ...better]);
  for (const q of ['python news', 'news python']) {
    const { ids } = await search.query('many', { q, filter: {}, exclude: [], offset: 0, limit: 31 });
    expect(ids.map((id) => id[0]).join('')).toBe(`${'z'.repeat(30)}a`);
  }
});
