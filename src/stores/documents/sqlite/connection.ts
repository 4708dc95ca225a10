import type { Clock } from '../../../platform/clock.ts';
import { PermanentError } from '../../../platform/errors.ts';
import { retryWhileBusy, snapshot, transact } from '../../../platform/sqlite-transactions.ts';
import { type Bindable, type Row, SqliteStatements } from '../../../platform/sqlite-statements.ts';
import { openWithSchema } from '../../../platform/sqlite-schema.ts';
import type { DatabaseSync } from '../../../platform/sqlite.ts';
import type { Access } from '../../../platform/sqlite-opening.ts';
import { translateSqlite } from '../../../platform/sqlite-errors.ts';
import { SCHEMA } from './collections.ts';

export interface ConnectionOptions {
  readonly access?: Access | undefined;
  readonly clock: Clock;
  readonly busyMs: number;
  readonly patienceMs: number;
}

/** One connection to the file, open until it is closed, with the statements that it has prepared. */
export class SqliteConnection {
  readonly #path: string;
  readonly #database: DatabaseSync;
  readonly #options: ConnectionOptions;
  readonly #statements: SqliteStatements;

  constructor(path: string, options: ConnectionOptions) {
    this.#path = path;
    this.#options = options;
    const { access, busyMs } = options;
    try {
      this.#database = openWithSchema(path, SCHEMA, { access, durability: 'normal', busyMs }, (it) => it);
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
    return await this.attempt(() => transact(this.#database, () => work(this.#database)));
  }

  /** Runs reads in one transaction, so that they see one state of the file. */
  async snapshot<T>(work: () => T): Promise<T> {
    return await this.attempt(() => snapshot(this.#database, work));
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
    return this.#statements.rows(sql, ...values);
  }

  /** How many rows a statement changed. */
  run(sql: string, ...values: readonly Bindable[]): number {
    return this.#statements.run(sql, ...values);
  }
}
