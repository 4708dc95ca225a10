import { counted, number } from '../../../../texts/english-amounts.ts';
import { table, type Columns } from '../../../table.ts';
import type { Movement } from '../../../../projecting/inspect/diff/movements.ts';
import type { Movements, Summary } from '../../../../projecting/inspect/diff/summary.ts';

/** A summary as a person reads it, a line each. */
export function reportOf(summary: Summary): readonly string[] {
  const fields = summary.changed_fields
    .slice(0, FIELDS_SHOWN)
    .map(({ field, entries }) => `${field} (${number(entries)})`);
  return [
    `${summary.before} (before) and ${summary.after} (after): ${comparedBy(summary)}.`,
    `${outcomesOf(summary)}.`,
    ...(fields.length === 0 ? [] : [`Most often changed: ${fields.join(', ')}.`]),
    ...tablesOf(summary.movements).flatMap(({ title, rows }) =>
      rows.length === 0 ? ['', `${title}: none.`] : ['', `${title}:`, ...table(MOVEMENT_COLUMNS, rows)],
    ),
  ];
}

/** The tables of movements, as text and on the page. */
export function tablesOf(movements: Movements | null) {
  if (movements === null) return [];
  const { by_score: byScore, by_rank: byRank, first } = movements;
  return [
    { title: 'Largest movements in score', rows: byScore },
    { title: 'Largest movements in rank', rows: byRank },
    { title: 'The first afterwards', rows: first },
  ];
}

/** `12 added, 3 removed, 240 changed, 745 unchanged; 988 entries before, 997 after` */
export function outcomesOf({ added, removed, changed, unchanged, entries }: Summary): string {
  const outcomes = `${number(added)} added, ${number(removed)} removed, ${number(changed)} changed, ${number(unchanged)} unchanged`;
  return `${outcomes}; ${counted(entries.before, 'entry', 'entries')} before, ${number(entries.after)} after`;
}

export function comparedBy({ fields }: Pick<Summary, 'fields'>): string {
  return fields === null ? 'every field that readers see counts' : `what counts is ${fields.join(', ')}`;
}

const FIELDS_SHOWN = 8;
const TITLE_SHOWN = 40;

export const MOVEMENT_COLUMNS: Columns<Movement> = {
  entry: 'id',
  title: ({ title }) => shortened(title, TITLE_SHOWN),
  category: 'category',
  'score before': ({ score }) => score.before?.toFixed(1),
  after: ({ score }) => score.after?.toFixed(1),
  moved: ({ score }) => signed(score.change, 1),
  'rank before': ({ rank }) => rank.before,
  'rank after': ({ rank }) => rank.after,
  places: ({ rank }) => signed(rank.gained, 0),
};

/** `+2.5`; 0 without a sign. */
export function signed(value: number | null, digits: number): string | null {
  if (value === null) return null;
  return value > 0 ? `+${value.toFixed(digits)}` : value.toFixed(digits);
}

export function shortened(text: string, most: number): string {
  const characters = Array.from(text);
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}
