import { createBoundedMap } from '../cache/bounded-map.ts';
import { PermanentError } from '../errors.ts';
import { translateSqlite } from './errors.ts';
import { refusesReplaced } from './file-identity.ts';
import { openWithSchema, type Schema, type SqliteOptions } from './open-database.ts';
import { type Patience, retryWhileBusy, snapshot, transact } from './transactions.ts';
import type { DatabaseSync, StatementSync } from './node-sqlite.ts';

/** A row, column by column. Whole numbers are bigints: those beyond 2^53 would be refused as numbers. */
export type Row = readonly unknown[];

export type Bindable = string | number | null | Uint8Array;

type ConnectionOptions = Patience & Partial<Omit<SqliteOptions, 'busyMs'>>;

/** One attempt at a busy file blocks the thread for so many milliseconds. */
const BUSY_MS = 10;

const STATEMENTS_KEPT = 200;

/** One connection to a file, open until it is closed, with the statements that it has prepared. Errors of SQLite are translated. */
export class SqliteConnection {
  readonly #path: string;
  /** For statements that its user keeps prepared. */
  readonly database: DatabaseSync;
  readonly #options: ConnectionOptions;
  readonly #requireSameFile: () => void;
  /** Statements by their SQL: each prepared when it is first run, and kept while it is used. */
  readonly #statements = createBoundedMap<StatementSync>(STATEMENTS_KEPT);

  /** @param options `durability`: default `normal`, so that a power cut may take the last commits. */
  constructor(path: string, schema: Schema, options: ConnectionOptions) {
    this.#path = path;
    this.#options = options;
    try {
      const { access, isCheckedElsewhere, durability = 'normal' } = options;
      this.database = openWithSchema(path, schema, {
        access,
        isCheckedElsewhere,
        durability,
        busyMs: BUSY_MS,
      });
      this.#requireSameFile = refusesReplaced(path, options.clock);
    } catch (thrown) {
      throw translateSqlite(path, thrown);
    }
  }

  close(): void {
    if (this.database.isOpen) this.database.close();
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
        if (!this.database.isOpen) throw new PermanentError(`${this.#path} was closed by this process.`);
        this.#requireSameFile();
        return work(this.database);
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
    if (kept) return kept;
    const statement = this.database.prepare(sql);
    statement.setReturnArrays(true);
    // Full-text tables also leave row numbers of their own beyond 2^53 as "last inserted", which `run` reports.
    statement.setReadBigInts(true);
    this.#statements.set(sql, statement, 1);
    return statement;
  }
}
