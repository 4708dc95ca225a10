import type { Clock } from '../time/clock.ts';
import { PermanentError } from '../errors.ts';
import { translateSqlite } from './errors.ts';
import type { Access } from './opening.ts';
import { openWithSchema, type Schema } from './schema.ts';
import { type Bindable, type Row, SqliteStatements } from './statements.ts';
import { retryWhileBusy, snapshot, transact } from './transactions.ts';
import type { DatabaseSync } from './sqlite.ts';

export interface ConnectionOptions {
  readonly access?: Access | undefined;
  readonly clock: Clock;
  /** How long attempts at a busy file go on, in milliseconds. */
  readonly patienceMs: number;
}

/** A power cut may take the last commits; one attempt at a busy file blocks the thread for so many milliseconds. */
const OPENING = { durability: 'normal', busyMs: 10 } as const;

/** One connection to a file, open until it is closed, with the statements that it has prepared. Errors of SQLite are translated. */
export class SqliteConnection {
  readonly #path: string;
  readonly #database: DatabaseSync;
  readonly #options: ConnectionOptions;
  readonly #statements: SqliteStatements;

  constructor(path: string, schema: Schema, options: ConnectionOptions) {
    this.#path = path;
    this.#options = options;
    try {
      this.#database = openWithSchema(path, schema, { ...options, ...OPENING }, (it) => it);
    } catch (thrown) {
      throw translateSqlite(path, thrown);
    }
    this.#statements = new SqliteStatements(this.#database);
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }

  /** Runs changes in one transaction: all of them are committed, or none. */
  async change<T>(work: (database: DatabaseSync) => T): Promise<T> {
    return await this.attempt((database) => transact(database, () => work(database)));
  }

  /** Runs reads in one transaction, so that they see one state of the file. */
  async snapshot<T>(work: (database: DatabaseSync) => T): Promise<T> {
    return await this.attempt((database) => snapshot(database, () => work(database)));
  }

  /** Runs synchronous work, again and again while another connection holds the lock. */
  async attempt<T>(work: (database: DatabaseSync) => T): Promise<T> {
    try {
      return await retryWhileBusy(() => {
        if (!this.#database.isOpen) throw new PermanentError(`${this.#path} was closed by this process.`);
        return work(this.#database);
      }, this.#options);
    } catch (thrown) {
      throw translateSqlite(this.#path, thrown);
    }
  }

  /** The rows of a query. */
  rows(sql: string, ...values: readonly Bindable[]): readonly Row[] {
    return this.#statements.rows(sql, ...values);
  }

  /** How many rows a statement changed. */
  run(sql: string, ...values: readonly Bindable[]): number {
    return this.#statements.run(sql, ...values);
  }
}
