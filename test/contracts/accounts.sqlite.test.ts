import { openSqliteDocuments } from '../../src/stores/documents/sqlite.ts';
import { temporaryPath } from '../support/temporary-path.ts';
import { accountsContract } from './accounts.ts';

accountsContract(async () => {
  const { path, remove } = temporaryPath('documents.db');
  const [one, two] = [openSqliteDocuments(path), openSqliteDocuments(path)];
  return {
    one,
    two,
    [Symbol.asyncDispose]: async () => {
      await one[Symbol.asyncDispose]();
      await two[Symbol.asyncDispose]();
      remove();
    },
  };
});
