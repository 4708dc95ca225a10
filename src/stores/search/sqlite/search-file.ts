import { statSync } from 'node:fs';

import { systemClock } from '../../../platform/time/clock.ts';
import { PermanentError, RetryableError } from '../../../platform/errors.ts';
import { translateSqlite } from '../../../platform/sqlite/errors.ts';
import { type Bindable, type Row, SqliteConnection } from '../../../platform/sqlite/connection.ts';
import { isDamaged } from '../../../platform/sqlite/errors.ts';
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

/**
 * The file, and one connection to it. It is opened by the first call, and again where the file is no longer the one that was
 * opened: search.db may be deleted at any time, and is then filled again.
 */
export class SearchFile {
  readonly #options: SearchFileOptions;
  #open: ReturnType<typeof openFile> | null = null;

  constructor(options: SearchFileOptions) {
    this.#options = options;
  }

  close(): void {
    this.#open?.connection.close();
    this.#open = null;
  }

  /** Runs changes in one transaction: all of them are committed, or none. */
  async change<T>(work: (database: DatabaseSync) => T): Promise<T> {
    return await this.#attempt((connection) => connection.change(work));
  }

  /** Runs reads in one transaction, so that they see one state of the file. */
  async snapshot<T>(work: (database: DatabaseSync) => T): Promise<T> {
    return await this.#attempt((connection) => connection.snapshot(work));
  }

  /** The rows of a query. Part of a transaction. */
  rows(sql: string, ...values: readonly Bindable[]): readonly Row[] {
    return this.#opened().connection.rows(sql, ...values);
  }

  /** What is known of an index as it is now. Part of a transaction. */
  cacheOf(tables: Tables): IndexCache {
    return this.#opened().cacheOf(this, tables);
  }

  /** How many rows a statement changed. Part of a transaction. */
  run(sql: string, ...values: readonly Bindable[]): number {
    return this.#opened().connection.run(sql, ...values);
  }

  async #attempt<T>(work: (connection: SqliteConnection) => Promise<T>): Promise<T> {
    const { path } = this.#options;
    let connection: SqliteConnection | null = null;
    try {
      if (this.#isReplaced()) this.close();
      connection = this.#opened().connection;
      return await work(connection);
    } catch (thrown) {
      if (isDamaged(thrown)) {
        throw new PermanentError(
          `${path} is damaged or is not a database. Delete it: it is filled again from the documents.`,
          { cause: thrown },
        );
      }
      const isOther = connection !== null && connection !== this.#open?.connection;
      if (!isOther && !this.#isReplaced()) throw thrown;
      throw new RetryableError(`${path} was deleted or replaced meanwhile`, { cause: thrown });
    }
  }

  #opened(): ReturnType<typeof openFile> {
    return (this.#open ??= openFile(this.#options));
  }

  #isReplaced(): boolean {
    return this.#open !== null && this.#open.inode !== inodeOf(this.#options.path);
  }
}

function openFile({ path, access, patienceMs }: SearchFileOptions) {
  // Before it is opened: where another file takes its place meanwhile, it must not pass for that one.
  const known = inodeOf(path);
  // What a power cut takes is filled again from the documents, as a lost index is.
  const connection = new SqliteConnection(path, SCHEMA, { access, clock: systemClock, patienceMs });
  try {
    connection.rows(`PRAGMA cache_size = -${CACHE_KIB}`);
  } catch (thrown) {
    connection.close();
    throw translateSqlite(path, thrown);
  }
  return { connection, inode: known ?? inodeOf(path), cacheOf: createIndexCaches() };
}

/** What tells a file from another one of the same path; null where there is none. */
function inodeOf(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found ? `${found.dev}/${found.ino}` : null;
}
