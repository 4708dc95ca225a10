import { statSync } from 'node:fs';

import { systemClock } from '../../../platform/clock.ts';
import { PermanentError, RetryableError } from '../../../platform/errors.ts';
import {
  type Bindable,
  retryWhileBusy,
  type Row,
  snapshot,
  SqliteStatements,
  transact,
} from '../../../platform/sqlite-transactions.ts';
import {
  type Access,
  type DatabaseSync,
  isDamaged,
  openSqlite,
  translateSqlite,
} from '../../../platform/sqlite.ts';
import { prepareFile } from './tables.ts';

export interface ConnectionOptions {
  readonly path: string;
  readonly access?: Access | undefined;
  /** How long attempts at a busy file go on, in milliseconds. */
  readonly patienceMs: number;
}

/** What SQLite keeps of the file in memory: a search of everything beginning with `a` touches much of it. */
const CACHE_KIB = 64 * 1024;

/**
 * One connection to the file. It is opened by the first call, and again where the file is no longer the one that was
 * opened: search.db may be deleted at any time, and is then filled again.
 */
export class SqliteConnection {
  readonly #options: ConnectionOptions;
  #open: OpenFile | null = null;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  close(): void {
    this.#open?.database.close();
    this.#open = null;
  }

  /** Runs changes in one transaction: all of them are committed, or none. */
  async change<T>(work: (database: DatabaseSync) => T): Promise<T> {
    return await this.#attempt((database) => transact(database, () => work(database)));
  }

  /** Runs reads in one transaction, so that they see one state of the file. */
  async snapshot<T>(work: (database: DatabaseSync) => T): Promise<T> {
    return await this.#attempt((database) => snapshot(database, () => work(database)));
  }

  /** The rows of a query. Part of a transaction. */
  rows(sql: string, ...values: readonly Bindable[]): readonly Row[] {
    return this.#statements().rows(sql, ...values);
  }

  /** How many rows a statement changed. Part of a transaction. */
  run(sql: string, ...values: readonly Bindable[]): number {
    return this.#statements().run(sql, ...values);
  }

  async #attempt<T>(work: (database: DatabaseSync) => T): Promise<T> {
    try {
      // Opening has a patience of its own: a check of the file may take longer than this one, and is no waiting for others.
      this.#current();
      return await retryWhileBusy(() => work(this.#current()), {
        clock: systemClock,
        patienceMs: this.#options.patienceMs,
      });
    } catch (thrown) {
      throw this.#explain(thrown);
    }
  }

  #current(): DatabaseSync {
    if (this.#open && this.#open.inode !== inodeOf(this.#options.path)) this.close();
    this.#open ??= this.#opened();
    return this.#open.database;
  }

  #opened(): OpenFile {
    // What a power cut takes is filled again from the documents, as a lost index is.
    const database = openSqlite(this.#options.path, {
      access: this.#options.access,
      durability: 'normal',
      busyMs: 5000,
    });
    try {
      prepareFile(database, this.#options.path);
      database.exec(`PRAGMA cache_size = -${CACHE_KIB}; PRAGMA busy_timeout = 10`);
      return { database, statements: new SqliteStatements(database), inode: inodeOf(this.#options.path) };
    } catch (thrown) {
      database.close();
      throw thrown;
    }
  }

  #explain(thrown: unknown): Error {
    if (isDamaged(thrown)) {
      return new PermanentError(
        `${this.#options.path} is damaged or is not a database. Delete it: it is filled again from the documents.`,
        { cause: thrown },
      );
    }
    if (this.#open && this.#open.inode !== inodeOf(this.#options.path)) {
      return new RetryableError(`${this.#options.path} was deleted or replaced meanwhile`, { cause: thrown });
    }
    return translateSqlite(this.#options.path, thrown);
  }

  /** Another one after every change of the file, by this connection or any other. Part of a transaction. */
  state(): string {
    const [others] = this.rows('PRAGMA data_version');
    const [own] = this.rows('SELECT total_changes()');
    return `${String(this.#open?.inode)}/${String(others?.[0])}/${String(own?.[0])}`;
  }

  #statements(): SqliteStatements {
    if (!this.#open) throw new PermanentError(`${this.#options.path} is not open`);
    return this.#open.statements;
  }
}

interface OpenFile {
  readonly database: DatabaseSync;
  readonly statements: SqliteStatements;
  readonly inode: string | null;
}

/** What tells a file from another one of the same path; null where there is none. */
function inodeOf(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found ? `${found.dev}/${found.ino}` : null;
}
