import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import { newVersion, type Documents, type Stored } from '../../src/stores/documents/port.ts';
import { openSqliteDocuments } from '../../src/stores/documents/sqlite.ts';
import { temporaryFolder } from './folder.ts';

type Options = Parameters<typeof openSqliteDocuments>[1];

/** Documents in a file of their own, or in that of a folder, until the test is over. */
export function openDocuments(options?: Options, folder = temporaryFolder()): Documents {
  const documents = openSqliteDocuments(join(folder, 'documents.db'), options);
  onTestFinished(() => documents[Symbol.asyncDispose]());
  return documents;
}

/** Writes a document, whatever stood there. */
export async function putDocument(
  documents: Pick<Documents, 'versions' | 'write'>,
  collection: string,
  id: string,
  body: object,
): Promise<void> {
  const read = (await documents.versions(collection, [id])).get(id) ?? null;
  await documents.write(collection, [{ id, read, version: newVersion(), body }]);
}

/** Every document of a collection. */
export async function storedIn<Body>(
  documents: Pick<Documents, 'scan'>,
  collection: string,
): Promise<readonly Stored<Body>[]> {
  return (await Array.fromAsync(documents.scan<Body>(collection))).flat();
}
