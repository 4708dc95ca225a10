import { chunks } from '../../platform/chunks.ts';
import { DAY_MS } from '../../platform/time/instant.ts';
import type { Json } from '../../platform/json-value.ts';
import type { ColumnType } from '../column.ts';
import type { Sources } from '../sql-view.ts';
import type { BuildView } from '../find-view.ts';
import { identifier, type Database, openDatabase, quoted } from './database.ts';
import { type Appender, type DuckDb, type Type, loadDuckDb } from './load-module.ts';
import { messageOf, PermanentError } from '../../platform/errors.ts';

/** How the types of columns are told to DuckDB. Instants have a zone, so that nobody who reads them guesses one. */
export const SQL_TYPES: Readonly<Record<ColumnType, string>> = {
  text: 'VARCHAR',
  integer: 'BIGINT',
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
  time: 'TIMESTAMP WITH TIME ZONE',
  day: 'DATE',
  texts: 'VARCHAR[]',
  json: 'JSON',
};

/** DuckDB's vectors are as long, and a chunk is no longer than they are. */
const CHUNK_ROWS = 2048;

/** Copies a view into a table of its name. Bounded in memory: a batch at a time. Returns how many rows there are. */
export async function loadView(
  { duckdb, connection }: Database,
  { name, view, collection }: BuildView,
  sources: Sources,
  onRead: (items: number) => void,
): Promise<number> {
  const columns = Object.entries(view.columns);
  const declared = columns.map(([column, { type }]) => `${identifier(column)} ${SQL_TYPES[type]}`);
  await connection.run(`CREATE TABLE ${identifier(name)} (${declared.join(', ')})`);
  const kinds = columns.map(([, { type }]) => type);
  const appender = await connection.createAppender(name);
  const types = kinds.map((_, index) => appender.columnType(index));
  let loaded = 0;
  try {
    for await (const { read, rows } of view.batches(sources, collection)) {
      for (const some of chunks(rows, CHUNK_ROWS)) append(duckdb, appender, types, kinds, some);
      loaded += rows.length;
      onRead(read);
    }
  } finally {
    appender.closeSync();
  }
  return loaded;
}

function append(
  duckdb: DuckDb,
  appender: Appender,
  types: readonly Type[],
  kinds: readonly ColumnType[],
  rows: readonly (readonly Json[])[],
): void {
  const chunk = duckdb.DuckDBDataChunk.create(types, rows.length);
  chunk.setRows(rows.map((row) => kinds.map((kind, index) => toDuckDb(duckdb, kind, row[index] ?? null))));
  appender.appendDataChunk(chunk);
}

/** A value that fits its column, as DuckDB takes it. */
function toDuckDb(duckdb: DuckDb, type: ColumnType, value: Json): unknown {
  if (value === null) return null;
  switch (type) {
    case 'text':
      return (value as string).toWellFormed();
    case 'number':
    case 'boolean':
      return value;
    case 'integer':
      return BigInt(value as number);
    case 'time':
      return new duckdb.DuckDBTimestampTZValue(BigInt(Date.parse(value as string)) * 1000n);
    case 'day':
      return new duckdb.DuckDBDateValue(Date.parse(value as string) / DAY_MS);
    case 'texts':
      return duckdb.listValue((value as readonly string[]).map((text) => text.toWellFormed()));
    case 'json':
      return JSON.stringify(value);
  }
}

/** Writes a view to a Parquet file, which must not exist. Returns how many rows there are. */
export async function writeParquet(
  shown: BuildView,
  file: string,
  sources: Sources,
  onRead: (items: number) => void,
): Promise<number> {
  using database = await openDatabase(loadDuckDb());
  const rows = await loadView(database, shown, sources, onRead);
  try {
    await database.connection.run(
      `COPY ${identifier(shown.name)} TO ${quoted(file)} (FORMAT parquet, COMPRESSION zstd)`,
    );
  } catch (thrown) {
    throw new PermanentError(`${file} cannot be written: ${messageOf(thrown).split('\n', 1)[0]}`, {
      cause: thrown,
    });
  }
  return rows;
}
