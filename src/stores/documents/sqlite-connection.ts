import type { Clock } from '../../platform/clock.ts';
import { PermanentError } from '../../platform/errors.ts';
import { retryWhileBusy } from '../../platform/sqlite-busy.ts';
import {
  type DatabaseSync,
  openSqlite,
  transact,
  translateSqlite,
  type StatementSync,
} from '../../platform/sqlite.ts';
import { prepareFile } from './sqlite-collections.ts';

/** A row, column by column. Whole numbers are bigints: those beyond 2^53 would be refused as numbers. */
export type Row = readonly unknown[];
export type Bindable = string | number | null | Uint8Array;

export interface ConnectionOptions {
  readonly clock: Clock;
  readonly busyMs: number;
  readonly patienceMs: number;
}

const KEPT_STATEMENTS = 200;

/** One connection to the file, open until it is closed, with the statements that it has prepared. */
export class SqliteConnection {
  readonly #path: string;
  readonly #database: DatabaseSync;
  readonly #options: ConnectionOptions;
  /** By SQL, least recently used first. */
  readonly #statements = new Map<string, StatementSync>();

  constructor(path: string, options: ConnectionOptions) {
    this.#path = path;
    this.#options = options;
    // Making the file may have to wait, blocking, for another process that is making it.
    this.#database = openSqlite(path, { durability: 'normal', busyMs: 5000 });
    try {
      prepareFile(this.#database, path);
      this.#database.exec(`PRAGMA busy_timeout = ${options.busyMs}`);
    } catch (thrown) {
      this.#database.close();
      throw translateSqlite(path, thrown);
    }
  }

  close(): void {
    this.#statements.clear();
    if (this.#database.isOpen) this.#database.close();
  }

  /** Runs changes in one transaction: all of them are committed, or none. */
  async change<T>(work: (database: DatabaseSync) => T): Promise<T> {
    return await this.attempt(() => transact(this.#database, () => work(this.#database)));
  }

  /** Runs reads in one transaction, so that they see one state of the file. */
  async snapshot<T>(work: () => T): Promise<T> {
    return await this.attempt(() => {
      this.#database.exec('BEGIN');
      try {
        return work();
      } finally {
        if (this.#database.isTransaction) this.#database.exec('COMMIT');
      }
    });
  }

  /** Runs synchronous work, again and again while another connection holds the lock; translates SQLite's errors. */
  async attempt<T>(work: () => T): Promise<T> {
    try {
      return await retryWhileBusy(() => {
        if (!this.#database.isOpen) throw new PermanentError(`${this.#path} was closed by this process.`);
        return work();
      }, this.#options);
    } catch (thrown) {
      throw translateSqlite(this.#path, thrown);
    }
  }

  /** The rows of a query. */
  rows(sql: string, ...values: readonly Bindable[]): readonly Row[] {
    return this.#statement(sql).all(...values) as unknown as readonly Row[];
  }

  /** How many rows a statement changed. */
  run(sql: string, ...values: readonly Bindable[]): number {
    return Number(this.#statement(sql).run(...values).changes);
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
    const statement = this.#database.prepare(sql);
    statement.setReturnArrays(true);
    statement.setReadBigInts(true);
    return statement;
  }
}
