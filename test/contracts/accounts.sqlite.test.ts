import { join } from 'node:path';

import { openSqliteDocuments } from '../../src/stores/documents/sqlite.ts';
import { temporaryFolder } from '../support/folder.ts';
import { accountsContract } from './accounts.ts';

accountsContract(async () => {
  const path = join(temporaryFolder(), 'documents.db');
  const [one, two] = [openSqliteDocuments(path), openSqliteDocuments(path)];
  return {
    one,
    two,
    [Symbol.asyncDispose]: async () => {
      await one[Symbol.asyncDispose]();
      await two[Symbol.asyncDispose]();
    },
  };
});
