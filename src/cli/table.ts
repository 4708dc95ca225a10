import { visible } from '../platform/visible.ts';
import { redactByLook } from '../platform/secrets.ts';
import { number } from '../platform/amounts.ts';

type Cell = string | number | null | undefined;

/** Those fields of a row that a cell can show. */
type FieldOf<Row> = { [Name in keyof Row]: Row[Name] extends Cell ? Name : never }[keyof Row];

/** Columns under their headings: a field of the row, or what is made of several. Without a value it shows `-`. */
export type Columns<Row> = Readonly<Record<string, FieldOf<Row> | ((row: Row) => Cell)>>;

/** Rows under headings, a line each; columns aligned, numbers to the right. */
export function table<Row>(columns: Columns<Row>, rows: readonly Row[]): readonly string[] {
  const shown = Object.entries(columns).map(([heading, column]) => {
    const cells = rows.map(
      (row) => (typeof column === 'function' ? column(row) : (row[column] as Cell)) ?? '-',
    );
    const isNumeric = cells.length > 0 && cells.every((cell) => typeof cell === 'number');
    // As they will be shown: what is escaped only later would push the columns apart.
    const texts = cells.map((cell) =>
      typeof cell === 'number' ? number(cell) : redactByLook(visible(cell)),
    );
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
