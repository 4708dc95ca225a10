import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import type { Documents } from '../../src/stores/documents/port.ts';
import { openSqliteDocuments } from '../../src/stores/documents/sqlite.ts';
import { temporaryFolder } from './folder.ts';

type Options = Parameters<typeof openSqliteDocuments>[1];

/** Documents in a file of their own, or in that of a folder, until the test is over. */
export function openDocuments(options?: Options, folder = temporaryFolder()): Documents {
  const documents = openSqliteDocuments(join(folder, 'documents.db'), options);
  onTestFinished(() => documents[Symbol.asyncDispose]());
  return documents;
}
