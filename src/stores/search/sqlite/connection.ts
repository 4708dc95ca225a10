import { systemClock } from '../../../platform/clock.ts';
import { PermanentError, RetryableError } from '../../../platform/errors.ts';
import { retryWhileBusy, snapshot, transact } from '../../../platform/sqlite-transactions.ts';
import type { Bindable, Row, SqliteStatements } from '../../../platform/sqlite-statements.ts';
import type { DatabaseSync } from '../../../platform/sqlite.ts';
import { translateSqlite } from '../../../platform/sqlite-errors.ts';
import { isDamaged } from '../../../platform/sqlite-damage.ts';
import { inodeOf, openFile, type OpenFile, type Place } from './open-file.ts';

export interface ConnectionOptions extends Place {
  /** How long attempts at a busy file go on, in milliseconds. */
  readonly patienceMs: number;
}

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
    this.#open ??= openFile(this.#options);
    return this.#open.database;
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

  #statements(): SqliteStatements {
    if (!this.#open) throw new PermanentError(`${this.#options.path} is not open`);
    return this.#open.statements;
  }
}
