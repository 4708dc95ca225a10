import { type Arrivals, createArrivals } from '../../../platform/arrivals.ts';
import type { Clock } from '../../../platform/clock.ts';
import { PermanentError } from '../../../platform/errors.ts';
import { retryWhileBusy, snapshot, transact } from '../../../platform/sqlite-transactions.ts';
import { type Bindable, type Row, SqliteStatements } from '../../../platform/sqlite-statements.ts';
import { openWithSchema } from '../../../platform/sqlite-schema.ts';
import type { DatabaseSync } from '../../../platform/sqlite.ts';
import type { Access } from '../../../platform/sqlite-opening.ts';
import { translateSqlite } from '../../../platform/sqlite-errors.ts';
import { noticesOf, type WriteNotices } from '../../../platform/write-notices.ts';
import { SCHEMA } from './collections.ts';

export interface ConnectionOptions {
  readonly access?: Access | undefined;
  readonly clock: Clock;
  readonly busyMs: number;
  readonly patienceMs: number;
}

/** How often those who wait for writes look for those of other processes, in milliseconds. */
const LOOK_MS = 25;

/** One connection to the file, open until it is closed, with the statements that it has prepared. */
export class SqliteConnection {
  readonly #path: string;
  readonly #database: DatabaseSync;
  readonly #options: ConnectionOptions;
  readonly #statements: SqliteStatements;
  readonly #notices: WriteNotices;
  readonly arrivals: Arrivals;
  /** Rows that were changed, ever. */
  #changes = 0;

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
    this.#notices = noticesOf(`${this.#database.location()}-wal`);
    this.arrivals = createArrivals({
      dataVersion: () => Number(this.rows('PRAGMA data_version')[0]?.[0]),
      clock: options.clock,
      pollMs: LOOK_MS,
      notices: this.#notices,
    });
  }

  close(): void {
    this.#notices[Symbol.dispose]();
    if (this.#database.isOpen) this.#database.close();
    // What waits ends.
    this.arrivals.wake();
  }

  /** Runs changes in one transaction: all of them are committed, or none. `part` names what they change, for those who wait. */
  async change<T>(work: (database: DatabaseSync) => T, part?: string): Promise<T> {
    return await this.attempt(() => {
      const before = this.#changes;
      const result = transact(this.#database, () => work(this.#database));
      if (this.#changes > before) {
        this.#notices.written();
        this.arrivals.wake(part);
      }
      return result;
    });
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
    const changed = this.#statements.run(sql, ...values);
    this.#changes += changed;
    return changed;
  }
}
