import { openSqliteDocuments } from '../../src/stores/documents/sqlite.ts';
import type { Act, RoleName } from '../support/deployed-roles.ts';
import { documentsAs } from '../support/role-documents.ts';
import { temporaryPath } from '../support/temporary-path.ts';
import { rolesHold } from './roles.ts';

rolesHold(async () => {
  const { path, remove } = temporaryPath('documents.db');
  const documents = openSqliteDocuments(path);
  const used: Record<RoleName, Set<Act>> = { project: new Set(), serve: new Set(), accounts: new Set() };
  return {
    as: (user) => documentsAs(user, documents, used[user]),
    used: (user) => used[user],
    [Symbol.asyncDispose]: async () => {
      await documents[Symbol.asyncDispose]();
      remove();
    },
  };
});
