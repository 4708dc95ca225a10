import { counted, number } from '../../../platform/amounts.ts';
import { table, type Columns } from '../../table.ts';
import type { Movement } from './movement.ts';
import type { Summary } from './summary.ts';

/** A summary as a person reads it, a line each. */
export function reportOf(summary: Summary, top: number): readonly string[] {
  const { movements } = summary;
  const fields = fieldsOf(summary);
  return [
    `${summary.before} (before) and ${summary.after} (after): ${comparedBy(summary)}.`,
    `${outcomesOf(summary)}.`,
    ...(fields === '' ? [] : [`Most often changed: ${fields}.`]),
    ...(movements === null
      ? []
      : [
          ...listed(
            'Largest movements in score',
            'No entry that both have moved in score.',
            movements.by_score,
          ),
          ...listed('Largest movements in rank', 'No entry that both have moved in rank.', movements.by_rank),
          ...listed(`The first ${number(top)} afterwards`, 'No entry is ranked afterwards.', movements.first),
        ]),
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

export function fieldsOf({ changed_fields: fields }: Summary): string {
  const first = fields.slice(0, FIELDS_SHOWN).map(({ field, entries }) => `${field} (${number(entries)})`);
  return first.join(', ');
}

const FIELDS_SHOWN = 8;

function listed(heading: string, otherwise: string, movements: readonly Movement[]): readonly string[] {
  if (movements.length === 0) return ['', otherwise];
  return ['', `${heading}:`, ...table(COLUMNS, movements)];
}

const TITLE_SHOWN = 32;

const COLUMNS: Columns<Movement> = {
  entry: 'id',
  title: ({ title }) => shortened(title, TITLE_SHOWN),
  category: 'category',
  'score before': ({ score }) => points(score.before),
  after: ({ score }) => points(score.after),
  moved: ({ score }) => signed(score.change, 1)?.padStart(6),
  'rank before': ({ rank }) => rank.before,
  'rank after': ({ rank }) => rank.after,
  places: ({ rank }) => signed(rank.gained, 0),
};

function points(score: number | null): string | null {
  return score === null ? null : score.toFixed(1).padStart(5);
}

/** `+2.5`; 0 without a sign. */
export function signed(value: number | null, digits: number): string | null {
  if (value === null) return null;
  const shown = new Intl.NumberFormat('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return value > 0 ? `+${shown.format(value)}` : shown.format(value);
}

export function shortened(text: string, most: number): string {
  const characters = Array.from(text);
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}
