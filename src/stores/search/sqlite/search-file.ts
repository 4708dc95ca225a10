import { existsSync } from 'node:fs';
import { dirname } from 'node:path';

import { systemClock } from '../../../platform/time/clock.ts';
import { PermanentError, RetryableError } from '../../../platform/errors.ts';
import { translateSqlite } from '../../../platform/sqlite/errors.ts';
import { type Bindable, type Row, SqliteConnection } from '../../../platform/sqlite/connection.ts';
import { isDamaged } from '../../../platform/sqlite/errors.ts';
import { fileIdentity } from '../../../platform/sqlite/file-identity.ts';
import type { Access } from '../../../platform/sqlite/open-database.ts';
import type { DatabaseSync } from '../../../platform/sqlite/node-sqlite.ts';
import { createIndexCaches, type IndexCache } from './index-cache.ts';
import { SCHEMA, type Tables } from './tables.ts';

export interface SearchFileOptions {
  readonly path: string;
  readonly access?: Access | undefined;
  /** How long attempts at a busy file go on, in milliseconds. */
  readonly patienceMs: number;
}

/** What SQLite keeps of the file in memory: a search of everything beginning with `a` touches much of it. */
const CACHE_KIB = 64 * 1024;

export type SearchFile = ReturnType<typeof searchFile>;

/**
 * The file, and one connection to it. It is opened by the first call, and again where the file is no longer the one that was
 * opened: search.db may be deleted at any time, and is then filled again.
 */
export function searchFile(options: SearchFileOptions) {
  const { path } = options;
  let open: ReturnType<typeof openFile> | null = null;
  const opened = (): ReturnType<typeof openFile> => (open ??= openFile(options));
  const isReplaced = (): boolean => open !== null && open.inode !== fileIdentity(path);
  const close = (): void => {
    open?.connection.close();
    open = null;
  };

  async function attempt<T>(work: (connection: SqliteConnection) => Promise<T>): Promise<T> {
    let connection: SqliteConnection | null = null;
    try {
      if (isReplaced()) {
        // Whoever has moved the folder away puts it back, or restarts: nothing is made in its place.
        if (!existsSync(dirname(path))) throw new RetryableError(`The folder of ${path} is gone`);
        close();
      }
      connection = opened().connection;
      return await work(connection);
    } catch (thrown) {
      if (isDamaged(thrown)) {
        throw new PermanentError(
          `${path} is damaged or is not a database. Delete it: it is filled again from the documents.`,
          { cause: thrown },
        );
      }
      const isOther = connection !== null && connection !== open?.connection;
      if (!isOther && !isReplaced()) throw thrown;
      throw new RetryableError(`${path} was deleted or replaced meanwhile`, { cause: thrown });
    }
  }

  return {
    close,
    /** Runs changes in one transaction: all of them are committed, or none. */
    change: <T>(work: (database: DatabaseSync) => T): Promise<T> => attempt((it) => it.change(work)),
    /** Runs reads in one transaction, so that they see one state of the file. */
    snapshot: <T>(work: (database: DatabaseSync) => T): Promise<T> => attempt((it) => it.snapshot(work)),
    /** The rows of a query. Part of a transaction. */
    rows: (sql: string, ...values: readonly Bindable[]): readonly Row[] =>
      opened().connection.rows(sql, ...values),
    /** How many rows a statement changed. Part of a transaction. */
    run: (sql: string, ...values: readonly Bindable[]): number => opened().connection.run(sql, ...values),
    /** What is known of an index as it is now. Part of a transaction. */
    cacheOf: (tables: Tables): IndexCache => {
      const { connection, cacheOf } = opened();
      return cacheOf(connection, tables);
    },
  };
}

function openFile({ path, access, patienceMs }: SearchFileOptions) {
  // Before it is opened: where another file takes its place meanwhile, it must not pass for that one.
  const known = fileIdentity(path);
  // What a power cut takes is filled again from the documents, as a lost index is.
  const connection = new SqliteConnection(path, SCHEMA, { access, clock: systemClock, patienceMs });
  try {
    connection.rows(`PRAGMA cache_size = -${CACHE_KIB}`);
  } catch (thrown) {
    connection.close();
    throw translateSqlite(path, thrown);
  }
  return { connection, inode: known ?? fileIdentity(path), cacheOf: createIndexCaches() };
}
