import { createBoundedMap } from '../cache/bounded-map.ts';
import type { DatabaseSync, StatementSync } from './sqlite.ts';

/** A row, column by column. Whole numbers are bigints: those beyond 2^53 would be refused as numbers. */
export type Row = readonly unknown[];

export type Bindable = string | number | null | Uint8Array;

const KEPT = 200;

/** The statements of one connection, each prepared when it is first run, and kept while it is used. */
export class SqliteStatements {
  readonly #database: DatabaseSync;
  /** By SQL. */
  readonly #kept = createBoundedMap<StatementSync>(KEPT);

  constructor(database: DatabaseSync) {
    this.#database = database;
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
    const kept = this.#kept.get(sql);
    if (kept) return kept;
    const statement = this.#prepare(sql);
    this.#kept.set(sql, statement, 1);
    return statement;
  }

  #prepare(sql: string): StatementSync {
    const statement = this.#database.prepare(sql);
    statement.setReturnArrays(true);
    // Full-text tables also leave row numbers of their own beyond 2^53 as "last inserted", which `run` reports.
    statement.setReadBigInts(true);
    return statement;
  }
}
