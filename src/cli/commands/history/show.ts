import { commandLine } from '../../../platform/text/command-line.ts';
import { counted, number } from '../../../platform/text/format.ts';
import { note, print, printJson } from '../../output.ts';
import { seconds, table, type Columns } from '../../table.ts';
import {
  changesIn,
  countUnchanged,
  summary,
  type FieldChange,
  type Life,
  type Step,
  type StepKind,
} from './life.ts';
import { doubtLines, instant, type Doubts } from './reader.ts';

/** An entry's life as people read it, and as scripts get it. */

interface ShownLife {
  readonly slug: string;
  readonly life: Life;
  /** Unix milliseconds; null for all of it. */
  readonly since: number | null;
  /** Every event by itself, those that changed nothing included. */
  readonly all: boolean;
  readonly doubts: Doubts;
}

export function showLife({ slug, life, since, all, doubts }: ShownLife, json: boolean): void {
  const within = life.steps.filter(({ found }) => since === null || found.at >= since);
  const steps = all ? within : summary(within);
  const unchanged = countUnchanged(within);
  const earlier = life.steps.length - within.length;
  if (json)
    return printJson({ slug, state: life.state, steps: steps.map(reportOf), unchanged, earlier, ...doubts });
  const rows = steps.flatMap(rowsOf);
  print(rows.length === 0 ? 'No event of that time has changed what readers see.' : table(COLUMNS, rows));
  print(`${slug} is ${STATES[life.state]}.`);
  if (!all) for (const line of unchangedLines(slug, unchanged)) print(line);
  if (earlier > 0) print(`${counted(earlier, 'event')} came before that: leave --since out to see them.`);
  note(doubtLines(doubts));
}

const STATES = {
  published: 'published now',
  unpublished: 'unpublished now',
  never_published: 'not published, and never was',
} as const satisfies Record<Life['state'], string>;

function reportOf(step: Step) {
  const { kind, found, reason, count, since } = step;
  const { topic, partition, position } = found.record;
  const event = found.outcome === 'event' ? found.event : null;
  return {
    kind,
    recorded_at: instant(found.at),
    time: event?.time ?? null,
    topic,
    partition,
    position,
    id: event?.id ?? null,
    source: event?.source ?? null,
    type: event?.type ?? null,
    reason,
    ...(kind === 'measured' ? { measurements: count, first_recorded_at: instant(since) } : {}),
    changes: changesIn(step),
  };
}

interface Row {
  readonly recorded: string;
  readonly time: string | null;
  readonly what: string;
  readonly details: string;
  readonly record: string;
}

const COLUMNS: Columns<Row> = {
  'in the log': 'recorded',
  'event time': 'time',
  what: 'what',
  record: 'record',
  details: 'details',
};

/** The step, and a line of its own for each further detail. */
function rowsOf(step: Step): readonly Row[] {
  const { kind, found } = step;
  const { topic, partition, position } = found.record;
  const [first = '', ...further] = detailsOf(step);
  const row: Row = {
    recorded: seconds(instant(found.at)),
    time: found.outcome === 'event' ? seconds(found.event.time) : null,
    what: WORDS[kind],
    details: first,
    record: `${topic}/${partition}/${position}`,
  };
  const below = { recorded: '', time: '', what: '', record: '' };
  return [row, ...further.map((details) => ({ ...below, details }))];
}

const WORDS = {
  published: 'published',
  changed: 'changed',
  measured: 'measured',
  unpublished: 'unpublished',
  published_again: 'published again',
  superseded: 'superseded',
  duplicate: 'duplicate',
  unseen: 'not shown',
  left_out: 'left out',
} as const satisfies Record<StepKind, string>;

function detailsOf(step: Step): readonly string[] {
  const { kind, reason, count, since } = step;
  const changes = changesIn(step);
  switch (kind) {
    case 'published':
      return [
        changes
          .filter(({ field }) => FIRST.test(field))
          .map(shownAfter)
          .join(', '),
      ];
    case 'unpublished':
      return [`reason: ${reason ?? 'none given'}`];
    case 'left_out':
      return [reason ?? ''];
    case 'measured': {
      const many = count === 1 ? '' : `${number(count)} times since ${seconds(instant(since))}: `;
      const told = changes.filter(({ field }) => MEASURED.test(field)).map(shownChange);
      return [`${many}${told.length === 0 ? 'the numbers shown are the same' : told.join(', ')}`];
    }
    default: {
      const told = changes.filter(({ field }) => !FOLLOWS.test(field));
      return (told.length === 0 ? changes : told).map(shownChange);
    }
  }
}

/** What tells a new entry from others. */
const FIRST = /^(?:kind|username|title\.\w+|category)$/;
/** What was counted, and the score; growth and coverage follow from these. */
const MEASURED = /^(?:metrics\.(?!measured_at$|growth\.|err_pct$)[\w.]+|score\.value)$/;
/** What every event moves on, or what follows from other fields. */
const FOLLOWS =
  /^(?:updated_at|published_at|published|audience\..+|metrics\.(?:measured_at|growth\..+|err_pct)|score\.(?!value$).+)$/;

function shownAfter({ field, after }: FieldChange): string {
  return `${field} ${shownValue(after)}`;
}

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

function* unchangedLines(slug: string, counts: ReturnType<typeof countUnchanged>): Generator<string> {
  const { superseded, duplicate, unseen, left_out: leftOut } = counts;
  const told = [
    [superseded, 'superseded by a newer one'],
    [duplicate, 'delivered again'],
    [unseen, 'not shown'],
  ] as const;
  const parts = told.filter(([many]) => many > 0).map(([many, why]) => `${number(many)} ${why}`);
  if (parts.length > 0)
    yield `Events that changed nothing readers see: ${parts.join(', ')}. --all shows them.`;
  if (leftOut > 0)
    yield `${counted(leftOut, 'event')} left out, as they cannot be used: --all or "${commandLine(`trace ${slug}`)}" says why.`;
}
