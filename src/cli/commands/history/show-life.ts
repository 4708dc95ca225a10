import {
  changesIn,
  reasonOf,
  type Doubts,
  type FieldChange,
  type Life,
  type Step,
} from '../../../operations/history/life.ts';
import { commandLine } from '../../../platform/text/command-hint.ts';
import { instantOrMs } from '../../../platform/time/instant.ts';
import { counted, number } from '../../../texts/english-amounts.ts';
import { note, print, printJson } from '../../output.ts';
import { fieldColumns, seconds, table, type Columns } from '../../table.ts';

/** An entry's life as people read it, and as scripts get it. */

export function showLife(slug: string, life: Life, doubts: Doubts, json: boolean): void {
  const { state, steps, unchanged, leftOut, earlier } = life;
  const trace = `"${commandLine(`trace ${slug}`)}" says more`;
  const counts = { unchanged, left_out: leftOut, earlier };
  if (json) return printJson({ slug, state, steps: steps.map(reportOf), ...counts, ...doubts });
  const rows = steps.flatMap(rowsOf);
  print(rows.length === 0 ? 'No event of that time has changed what readers see.' : table(COLUMNS, rows));
  print(`${slug} is ${STATES[state]}.`);
  if (unchanged > 0) print(`${counted(unchanged, 'event')} changed nothing readers see: ${trace}.`);
  if (leftOut > 0) print(`${counted(leftOut, 'event')} left out, as they cannot be used: ${trace}.`);
  if (earlier > 0) print(`${counted(earlier, 'event')} came before that: leave --since out to see them.`);
  note(doubtLines(doubts));
}

const STATES = {
  published: 'published now',
  unpublished: 'unpublished now',
  never_published: 'not published, and never was',
} as const satisfies Record<Life['state'], string>;

function reportOf(step: Step) {
  const { kind, found, count, since } = step;
  const { topic, partition, position } = found.record;
  const { time, id, source, type } = found.event;
  const event = { recorded_at: instantOrMs(found.at), time, topic, partition, position, id, source, type };
  return {
    kind,
    ...event,
    reason: reasonOf(step),
    ...(kind === 'measured' ? { measurements: count, first_recorded_at: instantOrMs(since) } : {}),
    changes: changesIn(step),
  };
}

const COLUMNS: Columns<ReturnType<typeof rowsOf>[number]> = {
  'in the log': 'recorded',
  'event time': 'time',
  ...fieldColumns('what', 'record', 'details'),
};

/** The step, and a line of its own for each further detail. */
function rowsOf(step: Step) {
  const { kind, found } = step;
  const { topic, partition, position } = found.record;
  const [details = '', ...further] = detailsOf(step);
  const row = {
    recorded: seconds(instantOrMs(found.at)),
    time: seconds(found.event.time),
    what: kind.replace('_', ' '),
    details,
    record: `${topic}/${partition}/${position}`,
  };
  const below = { recorded: '', time: '', what: '', record: '' };
  return [row, ...further.map((more) => ({ ...below, details: more }))];
}

function detailsOf(step: Step): readonly string[] {
  const { kind, count, since } = step;
  // Nothing there, and a field that says so, read alike.
  const changes = changesIn(step).filter(({ before, after }) => before !== null || after !== null);
  const told = changes.filter(({ field }) => !FOLLOWS.test(field)).map(shownChange);
  switch (kind) {
    case 'published': {
      const first = changes.filter(({ field }) => FIRST.test(field));
      return [first.map(({ field, after }) => `${field} ${shownValue(after)}`).join(', ')];
    }
    case 'unpublished':
      return [`reason: ${reasonOf(step) ?? 'none given'}`];
    case 'measured': {
      const many = count === 1 ? '' : `${number(count)} times since ${seconds(instantOrMs(since))}: `;
      return [`${many}${told.length === 0 ? 'the numbers shown are the same' : told.join(', ')}`];
    }
    default:
      return told.length === 0 ? changes.map(shownChange) : told;
  }
}

/** What tells a new entry from others. */
const FIRST = /^(?:kind|username|title\.\w+|category)$/;
/** What every event moves on, or what follows from other fields. */
const FOLLOWS =
  /^(?:updated_at|published_at|published|audience\..+|metrics\.(?:measured_at|growth\..+|err_pct)|score\.(?!value$).+)$/;

function shownChange({ field, before, after }: FieldChange): string {
  return `${field.replace(/^metrics\./, '')}: ${shownValue(before)} → ${shownValue(after)}`;
}

function shownValue(value: unknown): string {
  if (value === null) return '-';
  if (typeof value === 'number') return number(value);
  const text = JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** Of a value on a line; --json has it whole. In characters. */
const LONGEST = 60;

const CUT_SHOWN = 3;

/** A line for each. */
export function doubtLines({ cut, unreadable }: Doubts): readonly string[] {
  const named = cut
    .slice(0, CUT_SHOWN)
    .map(({ topic, partition, from, since }) => {
      return `${topic}/${partition} begins at position ${from} (${since ?? 'nothing is kept'})`;
    })
    .join(', ');
  const rest = cut.length > CUT_SHOWN ? `, and ${cut.length - CUT_SHOWN} more partitions` : '';
  return [
    ...(cut.length === 0
      ? []
      : [
          `The log no longer holds its beginning: ${named}${rest}. What stood there is missing in this answer.`,
        ]),
    ...unreadable.map(({ topic, partition, from, to, reason }) => {
      return `${topic}/${partition} cannot be read from position ${from} to ${to - 1}, and is left out: ${reason}`;
    }),
  ];
}
