import { join } from 'node:path';

import { expect, test } from 'vitest';

import { PermanentError } from '../../../../src/platform/errors.ts';
import { openSqlite } from '../../../../src/platform/sqlite/open-database.ts';
import { temporaryFolder } from '../../../support/folder.ts';

test('a file that the system does not let us make is named with what to do, and is no fault of ours', () => {
  // What a missing right is to others, a name that is too long is to root as well.
  const open = () =>
    openSqlite(join(temporaryFolder(), 'x'.repeat(300)), { durability: 'normal', busyMs: 0 });
  expect(open).toThrow(PermanentError);
  expect(open).toThrow(
    /x cannot be opened for writing \(ENAMETOOLONG\)\. .+ CATALOG_DATA to another folder\.$/,
  );
});

test('a file that cannot be looked at is not told as missing', () => {
  const read = (path: string) => openSqlite(path, { access: 'read', durability: 'normal', busyMs: 0 });
  const folder = temporaryFolder();
  expect(() => read(join(folder, 'log.db'))).toThrow(/^There is no data in .+: log\.db is missing\. /);
  // What a folder of another user is to others, a name that is too long is to root as well.
  expect(() => read(join(folder, 'x'.repeat(300)))).toThrow(
    /x cannot be reached \(ENAMETOOLONG\)\. Run this as the user who runs the service, or .+\.$/,
  );
});
