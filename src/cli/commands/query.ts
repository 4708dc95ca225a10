import { type Database, openDatabase } from '../../analysis/duckdb/database.ts';
import { loadView } from '../../analysis/duckdb/load-view.ts';
import { loadDuckDb } from '../../analysis/duckdb/load-module.ts';
import { type Answer, ask, tablesIn } from '../../analysis/duckdb/query.ts';
import { type BuildView, describeViews, findView, VIEWS } from '../../analysis/sql-views.ts';
import { UsageError } from '../../platform/errors.ts';
import type { Json } from '../../platform/json-value.ts';
import { redactByLook, visible } from '../../platform/text/sanitize.ts';
import { showInstant } from '../../platform/time/instant.ts';
import { counted, number } from '../../texts/english-amounts.ts';
import {
  checkCsvOptions,
  CSV,
  csvLines,
  type CsvOptions,
  deliver,
  FILE,
  type FileOptions,
  showReading,
  sourcesOf,
} from '../analysis.ts';
import { command, withParts, type Work } from '../command.ts';
import { argument, flag, integer } from '../options.ts';
import { note, print, printJson } from '../output.ts';
import { table } from '../table.ts';

export const query = command({
  takes: {
    sql: argument('[sql]', 'one SELECT, in the dialect of DuckDB'),
    limit: integer('<rows>', 'rows that the table shows', [1, 100_000], 100),
    csv: flag('every row, as CSV'),
    ...CSV,
    ...FILE,
    views: flag('show the views and their columns instead'),
    json: flag('for scripts: every row'),
  },
  run: async ({ sql, views, ...options }, name) => {
    const { csv, json, out, limit } = options;
    if (views) return showViews(json === true);
    if (sql === undefined) throw new UsageError('Give one SELECT, or --views.');
    if (csv && json) throw new UsageError('Give --csv or --json, not both.');
    if (out !== undefined && !csv && !json) throw new UsageError('--out needs --csv or --json.');
    checkCsvOptions(csv === true, options);
    const duckdb = loadDuckDb();
    await withParts(name, 'read', async (work) => {
      using database = await openDatabase(duckdb);
      const answer = await answerTo(sql, database, work);
      if (csv || json) await deliverAnswer(answer, options, work.signal);
      else await printAnswer(answer, limit);
    });
  },
});

/** Loads what the text names, and asks. */
async function answerTo(sql: string, database: Database, work: Work): Promise<Answer> {
  const { documents } = work.parts;
  const named: Map<string, BuildView> = new Map();
  for (const name of await tablesIn(database, sql)) {
    const found = await findView(documents, name);
    if (found) named.set(found.name, found);
  }
  const sources = sourcesOf(work);
  for (const shown of named.values()) {
    using reading = await showReading(shown, sources);
    await loadView(database, shown, sources, (items) => reading.advance(items));
  }
  await database.lock();
  try {
    return await ask(database, sql, work.signal);
  } catch (thrown) {
    if (!(thrown instanceof UsageError) || !/Table with name/.test(thrown.message)) throw thrown;
    throw new UsageError(`${thrown.message} ${await describeViews(documents)}`, { cause: thrown });
  }
}

function showViews(json: boolean): void {
  const rows = VIEWS.flatMap(({ name: view, columns }) =>
    Object.entries(columns).map(([column, { type, meaning }]) => ({ view, column, type, meaning })),
  );
  if (json) printJson({ columns: rows });
  else print(table({ view: 'view', column: 'column', type: 'type', meaning: 'meaning' }, rows));
}

/** What a query has found: as a table for people, whole as CSV or JSON. */

/** A cell of the table shows no more characters. */
const CELL_CHARACTERS = 60;

/** The first rows, with a word on what is left out. */
async function printAnswer({ columns, rows }: Answer, limit: number): Promise<void> {
  const found: (readonly Json[])[] = [];
  for await (const batch of rows) {
    found.push(...batch.slice(0, limit + 1 - found.length));
    if (found.length > limit) break;
  }
  const isInstant = columns.map(({ type }) => type.startsWith('TIMESTAMP'));
  const shown = found
    .slice(0, limit)
    .map((row) =>
      row.map((cell, index) => (isInstant[index] && typeof cell === 'string' ? showInstant(cell) : cell)),
    );
  const isCut = shown
    .flat()
    .some((value) => cellOf(value) !== null && textOf(value).length > CELL_CHARACTERS);
  const headings = columns.map(({ name }, index) => {
    return [visible(name), (row: readonly Json[]) => cellOf(row[index] ?? null)] as const;
  });
  print(table(Object.fromEntries(headings), shown));
  if (found.length > limit)
    note(`The first ${counted(limit, 'row')}: --limit shows more, --csv and --json all.`);
  else note(`${counted(shown.length, 'row')}.`);
  if (isCut)
    note(`Texts are cut at ${number(CELL_CHARACTERS)} characters: --csv and --json show them whole.`);
}

function cellOf(value: Json): string | null {
  if (value === null) return null;
  const text = textOf(value);
  return text.length > CELL_CHARACTERS ? `${text.slice(0, CELL_CHARACTERS - 1).toWellFormed()}…` : text;
}

/** As it will be shown, so that a cut never parts what is shown for one character. */
function textOf(value: Json): string {
  return redactByLook(visible(typeof value === 'object' ? JSON.stringify(value) : String(value)));
}

/** Every row: CSV with a heading, or one JSON document with a row on each line. */
async function deliverAnswer(
  { columns, rows }: Answer,
  options: FileOptions & CsvOptions & { readonly csv?: boolean },
  signal: AbortSignal,
): Promise<void> {
  const names = columns.map(({ name }) => name);
  await deliver(options.csv ? csvLines(names, rows, options) : json(), options, signal);

  async function* json() {
    yield `{"columns":${JSON.stringify(columns)},"rows":[`;
    let separator = '';
    for await (const batch of rows)
      for (const row of batch) {
        yield `${separator}${rowObject(columns, row)}`;
        separator = ',';
      }
    yield ']}';
  }
}

function rowObject(columns: Answer['columns'], row: readonly Json[]): string {
  return JSON.stringify(Object.fromEntries(columns.map(({ name }, index) => [name, row[index] ?? null])));
}
