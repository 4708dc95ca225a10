import type { Answer } from '../../../analysis/duckdb/query.ts';
import { toNdjson } from '../../../analysis/csv-and-ndjson.ts';
import type { Json } from '../../../platform/json-value.ts';
import { redactByLook, visible } from '../../../platform/text/sanitize.ts';
import { showInstant } from '../../../platform/time/instant.ts';
import { counted, number } from '../../../texts/english-amounts.ts';
import { csvLines, type CsvOptions, deliver, type FileOptions } from '../../analysis-sources-and-output.ts';
import { note, print } from '../../output.ts';
import { table } from '../../table.ts';

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
export async function deliverAnswer(
  { columns, rows }: Answer,
  options: FileOptions & CsvOptions & { readonly csv?: boolean },
  signal: AbortSignal,
): Promise<void> {
  const names = columns.map(({ name }) => name);
  const toLine = toNdjson(names);
  await deliver(options.csv ? csvLines(names, rows, options) : json(), options, signal);

  async function* json() {
    yield `{"columns":${JSON.stringify(columns)},"rows":[`;
    let separator = '';
    for await (const batch of rows)
      for (const row of batch) {
        yield `${separator}${toLine(row)}`;
        separator = ',';
      }
    yield ']}';
  }
}
