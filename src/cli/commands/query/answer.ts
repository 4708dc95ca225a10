import type { Answer } from '../../../analysis/duckdb/query.ts';
import { showInstant } from '../../../platform/instant.ts';
import type { Json } from '../../../platform/json.ts';
import { redactByLook } from '../../../platform/secrets.ts';
import { visible } from '../../../platform/visible.ts';
import { counted, number } from '../../../platform/amounts.ts';
import { csvLines, deliver, type CsvOptions, type FileOptions } from '../../analysis.ts';
import { note, print } from '../../output.ts';
import { table } from '../../table.ts';

/** What a query has found: as a table for people, whole as CSV or JSON. */

/** A cell of the table shows no more characters. */
const CELL_CHARACTERS = 60;

/** The first rows, with a word on what is left out. */
export async function printAnswer({ columns, rows }: Answer, limit: number): Promise<void> {
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
  const headed = columns.map(({ name }, index) => [visible(name), columnOf(shown, index)] as const);
  // Columns of a result may have any names; those of a table are made unique by their place.
  print(tableOf(headed, shown.length));
  if (found.length > limit)
    note(`The first ${counted(limit, 'row')}: --limit shows more, --csv and --json all.`);
  else note(`${counted(shown.length, 'row')}.`);
  if (isCut)
    note(`Texts are cut at ${number(CELL_CHARACTERS)} characters: --csv and --json show them whole.`);
}

/** The cells of a column, numbers to the right and with every digit. */
function columnOf(rows: readonly (readonly Json[])[], index: number): readonly (string | null)[] {
  const cells = rows.map((row) => cellOf(row[index] ?? null));
  const isNumeric = rows.some((row) => typeof row[index] === 'number');
  if (!isNumeric) return cells;
  const width = Math.max(...cells.map((cell) => cell?.length ?? 1));
  return cells.map((cell) => (cell ?? '-').padStart(width));
}

function tableOf(
  columns: readonly (readonly [string, readonly (string | null)[]])[],
  rows: number,
): readonly string[] {
  const headings: Record<string, (row: number) => string | null> = {};
  for (const [name, cells] of columns) headings[name] = (row) => cells[row] ?? null;
  return table(
    headings,
    Array.from({ length: rows }, (_, row) => row),
  );
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
export async function deliverAnswer(
  { columns, rows }: Answer,
  options: FileOptions & CsvOptions & { readonly csv?: boolean },
  signal: AbortSignal,
): Promise<void> {
  const names = columns.map(({ name }) => name);
  await deliver(options.csv ? csvLines(names, rows, options) : json(), options, signal);

  async function* json() {
    yield [`{"columns":${JSON.stringify(columns)},"rows":[`];
    let separator = '';
    for await (const batch of rows) {
      const lines = batch.map((row) => {
        const line = `${separator}${rowObject(columns, row)}`;
        separator = ',';
        return line;
      });
      yield lines;
    }
    yield [']}'];
  }
}

function rowObject(columns: Answer['columns'], row: readonly Json[]): string {
  return JSON.stringify(Object.fromEntries(columns.map(({ name }, index) => [name, row[index] ?? null])));
}
