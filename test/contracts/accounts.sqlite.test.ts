import { join } from 'node:path';

import { openSqliteDocuments } from '../../src/stores/documents/sqlite.ts';
import { temporaryFolder } from '../support/folder.ts';
import { accountsContract } from './accounts.ts';

accountsContract(async () => {
  const path = join(temporaryFolder(), 'documents.db');
  return { one: openSqliteDocuments(path), two: openSqliteDocuments(path) };
});
