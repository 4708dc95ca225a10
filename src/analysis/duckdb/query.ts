import { messageOf, PermanentError, UsageError } from '../../platform/errors.ts';
import type { Json } from '../../platform/json-value.ts';
import { StoppedError } from '../../projecting/engine/retry.ts';
import { ONE_SELECT, tablesOf } from '../check-sql.ts';
import type { Database } from './database.ts';
import { toJson } from './json-values.ts';
import type { Connection, Type } from './load-module.ts';

export interface Answer {
  /** Types as DuckDB calls them: `BIGINT`, `TIMESTAMP WITH TIME ZONE`. */
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** In batches, as they are computed. Throws as `ask` does where that fails on the way. */
  readonly rows: AsyncIterable<readonly (readonly Json[])[]>;
}

/**
 * The tables that a SQL text names.
 * @throws {UsageError} where it is not one SELECT that reads and computes alone.
 */
export async function tablesIn({ connection }: Database, sql: string): Promise<ReadonlySet<string>> {
  if (sql.trim() === '') throw new UsageError('The SQL text is empty. Give one SELECT.');
  const result = await connection.run('SELECT json_serialize_sql($1::VARCHAR)', [sql]);
  for await (const [row] of result.yieldConvertedRows(String)) return tablesOf(String(row?.[0]));
  throw new PermanentError('DuckDB has not parsed the SQL text.');
}

/**
 * Asks a locked database what `tablesIn` has looked at.
 * @throws {UsageError} where the SQL is wrong.
 * @throws {PermanentError} where it fails while it runs: no memory, no space, a value that cannot be cast.
 * @throws {StoppedError} where the signal was aborted.
 */
export async function ask(
  { duckdb, connection }: Database,
  sql: string,
  signal: AbortSignal,
): Promise<Answer> {
  const wait = <T>(work: () => Promise<T>): Promise<T> => interruptible(connection, signal, work);
  const statements = await wait(() => connection.extractStatements(sql));
  const prepared = await wait(() => statements.prepare(0));
  if (statements.count !== 1 || prepared.statementType !== duckdb.StatementType.SELECT)
    throw new UsageError(ONE_SELECT);
  if (prepared.parameterCount > 0) throw new UsageError('SQL: a parameter ($1, ?) has no value here.');
  const result = await wait(() => prepared.stream());
  const types = result.columnTypes().map(nameOf);
  const names = uniqueNames(result.columnNames());
  return {
    columns: names.map((name, index) => ({ name, type: types[index] ?? '' })),
    rows: batches(),
  };

  async function* batches() {
    const all = result.yieldConvertedRows(toJson(duckdb))[Symbol.asyncIterator]();
    for (;;) {
      const next = await wait(() => all.next());
      if (next.done) return;
      yield next.value.map((row) =>
        row.map((cell, index) => (types[index] === 'JSON' ? parseCell(cell) : cell)),
      );
    }
  }
}

const INTERRUPT_EVERY_MS = 100;

/** Waits for DuckDB, and stops it when the signal says so. */
async function interruptible<T>(
  connection: Connection,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  if (signal.aborted) throw new StoppedError('stopped');
  let again: NodeJS.Timeout | undefined;
  const interrupt = (): void => {
    connection.interrupt();
    // Until it has stopped: DuckDB forgets an interrupt that comes just before a statement begins.
    again = setInterval(() => connection.interrupt(), INTERRUPT_EVERY_MS);
  };
  signal.addEventListener('abort', interrupt, { once: true });
  try {
    return await work();
  } catch (thrown) {
    throw signal.aborted ? new StoppedError('stopped', { cause: thrown }) : explain(thrown);
  } finally {
    clearInterval(again);
    signal.removeEventListener('abort', interrupt);
  }
}

/** On one line, with what DuckDB proposes instead. What is wrong with the text itself is the caller's to change. */
function explain(thrown: unknown): Error {
  // Behind an empty line it shows the place in the text.
  const [said = ''] = messageOf(thrown)
    .replace(/^Failed to extract statements: /, '')
    .split('\n\n', 1);
  const line = said.replace(/\s*\n\s*/g, ' ');
  const isText = /^(?:Parser|Binder|Catalog|Permission) Error/.test(line);
  const told = `SQL: ${line}`;
  return isText ? new UsageError(told, { cause: thrown }) : new PermanentError(told, { cause: thrown });
}

/** As people call it. JSON is text with a name of its own. */
function nameOf(type: Type): string {
  return type.alias ?? type.toString();
}

/** The JSON value of a column that is called JSON. */
function parseCell(cell: Json): Json {
  try {
    return typeof cell === 'string' ? (JSON.parse(cell) as Json) : cell;
  } catch {
    // A query may call any text JSON.
    return cell;
  }
}

/** Rows are objects, and a query may give several columns one name: `a`, `a:1`. */
function uniqueNames(names: readonly string[]): readonly string[] {
  const given = new Set<string>();
  for (const name of names) {
    let own = name;
    for (let others = 1; given.has(own); others += 1) own = `${name}:${others}`;
    given.add(own);
  }
  return [...given];
}
