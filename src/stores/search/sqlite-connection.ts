import { statSync } from 'node:fs';

import { systemClock } from '../../platform/clock.ts';
import { PermanentError, RetryableError } from '../../platform/errors.ts';
import { retryWhileBusy } from '../../platform/sqlite-busy.ts';
import {
  type DatabaseSync,
  isDamaged,
  openSqlite,
  type StatementSync,
  transact,
  translateSqlite,
} from '../../platform/sqlite.ts';
import { prepareFile } from './sqlite-schema.ts';

/** A row, column by column. Whole numbers are bigints. */
export type Row = readonly unknown[];
export type Bindable = string | number | null;

const KEPT_STATEMENTS = 200;
/** What SQLite keeps of the file in memory: a search of everything beginning with `a` touches much of it. */
const CACHE_KIB = 64 * 1024;

/**
 * One connection to the file. It is opened by the first call, and again where the file is no longer the one that was
 * opened: search.db may be deleted at any time, and is then filled again.
 */
export class SqliteConnection {
  readonly #path: string;
  readonly #patienceMs: number;
  #open: { readonly database: DatabaseSync; readonly inode: string | null } | null = null;
  /** By SQL, least recently used first. */
  readonly #statements = new Map<string, StatementSync>();

  constructor(path: string, { patienceMs }: { readonly patienceMs: number }) {
    this.#path = path;
    this.#patienceMs = patienceMs;
  }

  close(): void {
    this.#statements.clear();
    this.#open?.database.close();
    this.#open = null;
  }

  /** Runs changes in one transaction: all of them are committed, or none. */
  async change<T>(work: (database: DatabaseSync) => T): Promise<T> {
    return await this.#attempt((database) => transact(database, () => work(database)));
  }

  /** Runs reads in one transaction, so that they see one state of the file. */
  async snapshot<T>(work: (database: DatabaseSync) => T): Promise<T> {
    return await this.#attempt((database) => {
      database.exec('BEGIN');
      try {
        return work(database);
      } finally {
        if (database.isTransaction) database.exec('COMMIT');
      }
    });
  }

  /** The rows of a query. Part of a transaction. */
  rows(sql: string, ...values: readonly Bindable[]): readonly Row[] {
    return this.#statement(sql).all(...values) as unknown as readonly Row[];
  }

  /** Runs a statement. Part of a transaction. */
  run(sql: string, ...values: readonly Bindable[]): void {
    this.#statement(sql).run(...values);
  }

  async #attempt<T>(work: (database: DatabaseSync) => T): Promise<T> {
    try {
      return await retryWhileBusy(() => work(this.#current()), {
        clock: systemClock,
        patienceMs: this.#patienceMs,
      });
    } catch (thrown) {
      throw this.#explain(thrown);
    }
  }

  #current(): DatabaseSync {
    if (this.#open && this.#open.inode !== inodeOf(this.#path)) this.close();
    this.#open ??= this.#opened();
    return this.#open.database;
  }

  #opened(): { readonly database: DatabaseSync; readonly inode: string | null } {
    // What a power cut takes is filled again from the documents, as a lost index is.
    const database = openSqlite(this.#path, { durability: 'normal', busyMs: 5000 });
    try {
      prepareFile(database, this.#path);
      database.exec(`PRAGMA cache_size = -${CACHE_KIB}; PRAGMA busy_timeout = 10`);
      return { database, inode: inodeOf(this.#path) };
    } catch (thrown) {
      database.close();
      throw thrown;
    }
  }

  #explain(thrown: unknown): Error {
    if (isDamaged(thrown)) {
      return new PermanentError(
        `${this.#path} is damaged or is not a database. Delete it: it is filled again from the documents.`,
        { cause: thrown },
      );
    }
    if (this.#open && this.#open.inode !== inodeOf(this.#path)) {
      return new RetryableError(`${this.#path} was deleted or replaced meanwhile`, { cause: thrown });
    }
    return translateSqlite(this.#path, thrown);
  }

  /** Another one after every change of the file, by this connection or any other. Part of a transaction. */
  state(): string {
    const [others] = this.rows('PRAGMA data_version');
    const [own] = this.rows('SELECT total_changes()');
    return `${String(this.#open?.inode)}/${String(others?.[0])}/${String(own?.[0])}`;
  }

  #statement(sql: string): StatementSync {
    const kept = this.#statements.get(sql);
    this.#statements.delete(sql);
    const statement = kept ?? this.#prepare(sql);
    this.#statements.set(sql, statement);
    const [oldest] = this.#statements.keys();
    if (this.#statements.size > KEPT_STATEMENTS && oldest !== undefined) this.#statements.delete(oldest);
    return statement;
  }

  #prepare(sql: string): StatementSync {
    if (!this.#open) throw new PermanentError(`${this.#path} is not open`);
    const statement = this.#open.database.prepare(sql);
    statement.setReturnArrays(true);
    // The full-text tables leave row numbers of their own beyond 2^53 as "last inserted", which `run` reports.
    statement.setReadBigInts(true);
    return statement;
  }
}

/** What tells a file from another one of the same path; null where there is none. */
function inodeOf(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found ? `${found.dev}/${found.ino}` : null;
}
