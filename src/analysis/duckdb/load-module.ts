import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';

import { messageOf, PermanentError } from '../../platform/errors.ts';
import type { Json } from '../../platform/json-value.ts';

/**
 * DuckDB stands apart, in extras/sql with a lock file of its own: nobody who does not ask in SQL installs its 70 MB. So
 * it is loaded when it is needed, and what is used of it is described here.
 */

export interface DuckDb {
  readonly DuckDBInstance: {
    create(
      path: string,
      options: Readonly<Record<string, string>>,
    ): Promise<{ connect(): Promise<Connection>; closeSync(): void }>;
  };
  readonly DuckDBDataChunk: { create(types: readonly Type[], rows: number): Chunk };
  readonly DuckDBTimestampTZValue: (new (micros: bigint) => object) & { timezoneOffsetInMinutes: number };
  readonly DuckDBDateValue: new (days: number) => object;
  readonly listValue: (items: readonly string[]) => object;
  readonly StatementType: { readonly SELECT: number };
  readonly DuckDBTypeId: Readonly<Record<string, number | string>>;
  /** Converts a value to JSON: integers of 64 bits and more, decimals and instants to text. */
  readonly JsonDuckDBValueConverter: Convert<Json>;
}

/** Called again by itself, as `convert`, for what stands inside a value: one of DuckDB's own, or of the language. */
export type Convert<T> = (
  value: { toString(): string } | null | undefined,
  type: Type,
  convert: Convert<T>,
) => T | null;

export interface Connection {
  run(sql: string, values?: readonly unknown[]): Promise<Result>;
  extractStatements(
    sql: string,
  ): Promise<{ readonly count: number; prepare(index: number): Promise<Statement> }>;
  createAppender(table: string): Promise<Appender>;
  interrupt(): void;
  closeSync(): void;
}

interface Statement {
  readonly statementType: number;
  readonly parameterCount: number;
  stream(): Promise<Result>;
}

export interface Result {
  columnNames(): readonly string[];
  columnTypes(): readonly Type[];
  yieldConvertedRows<T>(convert: Convert<T>): AsyncIterable<readonly (readonly (T | null)[])[]>;
}

export interface Appender {
  columnType(index: number): Type;
  appendDataChunk(chunk: Chunk): void;
  closeSync(): void;
}

interface Chunk {
  setRows(rows: readonly (readonly unknown[])[]): void;
}

export interface Type {
  readonly typeId: number;
  /** Of a type that is another one by a name of its own: `JSON`. Known of the columns of a result alone. */
  readonly alias?: string;
  toString(): string;
}

const HOME = new URL('../../../extras/sql/', import.meta.url);

const HOW_TO_ADD = 'npm ci --prefix extras/sql';

/** @throws {PermanentError} where it is not installed, with the command that installs it. */
export function loadDuckDb(home: URL = HOME): DuckDb {
  if (!existsSync(new URL('node_modules/@duckdb/node-api/package.json', home))) {
    throw new PermanentError(`This needs DuckDB, which is not installed. Add it with "${HOW_TO_ADD}".`);
  }
  try {
    // By its path: it is no package of this project, and an import by name would not find it.
    const entry = createRequire(new URL('package.json', home)).resolve('@duckdb/node-api');
    const duckdb = createRequire(import.meta.url)(entry) as DuckDb;
    // It writes instants by the zone of the machine, and by the offset of today whatever their date.
    duckdb.DuckDBTimestampTZValue.timezoneOffsetInMinutes = 0;
    return duckdb;
  } catch (thrown) {
    const reason = messageOf(thrown).split('\n', 1)[0];
    throw new PermanentError(`DuckDB cannot be loaded: ${reason}. Install it again with "${HOW_TO_ADD}".`, {
      cause: thrown,
    });
  }
}
