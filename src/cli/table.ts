import { visible, redactByLook } from '../platform/text/sanitize.ts';
import { number } from '../texts/english-amounts.ts';

type Cell = string | number | null | undefined;

/** Those fields of a row that a cell can show. */
type FieldOf<Row> = { [Name in keyof Row]: Row[Name] extends Cell ? Name : never }[keyof Row];

/** Columns under their headings: a field of the row, or what is made of several. Without a value it shows `-`. */
export type Columns<Row> = Readonly<Record<string, FieldOf<Row> | ((row: Row) => Cell)>>;

/** Columns that are called as their fields are: `read model` of `read_model`. */
export function fieldColumns<Name extends string>(...names: readonly Name[]) {
  const columns = Object.fromEntries(names.map((name) => [name.replaceAll('_', ' '), name]));
  // The headings do not matter to the compiler, the fields do.
  return columns as { readonly [Own in Name]: Own };
}

/** `2026-11-20 10:00:00` */
export function seconds(at: string): string {
  return at.slice(0, 19).replace('T', ' ');
}

/** Columns as they are shown. */
export function shownColumns<Row>(columns: Columns<Row>, rows: readonly Row[]) {
  return Object.entries(columns).map(([heading, column]) => {
    const texts = rows.map((row) => {
      const cell = (typeof column === 'function' ? column(row) : (row[column] as Cell)) ?? '-';
      // As it will be printed: what is escaped only later would push the columns apart.
      return typeof cell === 'number' ? number(cell) : redactByLook(visible(cell));
    });
    return { heading, texts, isNumeric: texts.every((text) => NUMERIC.test(text)) };
  });
}

/** A number as we write it, or none. */
const NUMERIC = /^(?:-|[+-]?[\d,]+(?:\.\d+)?(?:e[+-]\d+)?)$/;

/** Rows under headings, a line each; columns aligned, numbers to the right. */
export function table<Row>(columns: Columns<Row>, rows: readonly Row[]): readonly string[] {
  const shown = shownColumns(columns, rows).map(({ heading, texts, isNumeric }) => {
    const width = Math.max(...[heading, ...texts].map((text) => text.length));
    return [heading, ...texts].map((text) => (isNumeric ? text.padStart(width) : text.padEnd(width)));
  });
  return ['', ...rows].map((_, line) =>
    shown
      .map((texts) => texts[line])
      .join('  ')
      .trimEnd(),
  );
}
