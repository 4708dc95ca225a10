import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { expect, test } from 'vitest';

import { readFeedLease } from '../../src/stores/feed-lease.ts';
import { openSqliteSearch } from '../../src/stores/search/sqlite.ts';
import { LISTINGS } from '../support/collections.ts';
import { EMBEDDED } from '../support/mode.ts';
import { searchedCatalog } from './lost-index.ts';

searchedCatalog(EMBEDDED, (searched) => {
  test('that was restored from a backup of before its last changes, as well', async () => {
    const { catalog, parts, publish, answersWhile } = searched();
    const file = join(String(catalog.env['CATALOG_DATA']), 'search.db');
    const backup = join(catalog.folder, 'backup.db');
    using database = new DatabaseSync(file);
    database.exec(`VACUUM INTO '${backup}'`);
    // Those that stand in the backup, which may have one that the lease does not name yet.
    const held = await sealsIn(backup);
    await publish(20, 25);
    const named = async () => (await readFeedLease(parts.documents, LISTINGS))?.seal ?? '';
    await expect.poll(async () => held.includes(await named())).toBe(false);
    await expect.poll(named).not.toBe('');
    const answers = await answersWhile(async () => {
      for (const part of ['-wal', '-shm']) rmSync(`${file}${part}`, { force: true });
      renameSync(backup, file);
    });
    expect(answers.filter((one) => one !== '503')).toEqual(['200 total 25']);
    expect(answers).toContain('503');
  }, 180_000);
});

async function sealsIn(file: string): Promise<readonly string[]> {
  await using search = openSqliteSearch(file);
  return (await search.seals(LISTINGS)) ?? [];
}
