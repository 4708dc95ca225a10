import { statSync } from 'node:fs';

import { openWithSchema } from '../../../platform/sqlite-schema.ts';
import { SqliteStatements } from '../../../platform/sqlite-statements.ts';
import type { DatabaseSync } from '../../../platform/sqlite.ts';
import type { Access } from '../../../platform/sqlite-opening.ts';
import { SCHEMA } from './tables.ts';

export interface Place {
  readonly path: string;
  readonly access?: Access | undefined;
}

/** The file as it was when it was opened. */
export interface OpenFile {
  readonly database: DatabaseSync;
  readonly statements: SqliteStatements;
  readonly inode: string | null;
}

/** What SQLite keeps of the file in memory: a search of everything beginning with `a` touches much of it. */
const CACHE_KIB = 64 * 1024;

export function openFile({ path, access }: Place): OpenFile {
  // Before it is opened: where another file takes its place meanwhile, it must not pass for that one.
  const known = inodeOf(path);
  // What a power cut takes is filled again from the documents, as a lost index is.
  return openWithSchema(path, SCHEMA, { access, durability: 'normal', busyMs: 10 }, (database) => {
    database.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
    return { database, statements: new SqliteStatements(database), inode: known ?? inodeOf(path) };
  });
}

/** What tells a file from another one of the same path; null where there is none. */
export function inodeOf(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found ? `${found.dev}/${found.ino}` : null;
}
