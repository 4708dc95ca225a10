import { oneLine, type Rejection } from '../../../events/rejection.ts';
import { commandLine } from '../../../platform/text/command-line.ts';
import type { Arrived } from '../../../projecting/inspect/arrivals.ts';
import { tieOf } from '../../../projecting/inspect/evidence.ts';
import type { Waited } from '../../../projecting/inspect/progress.ts';
import type { ParkedEvent } from '../../../projecting/engine/parking.ts';
import type { Stored } from '../../../stores/documents/port.ts';
import { counted, duration, number } from '../../../platform/text/format.ts';
import { note, print, printJson } from '../../output.ts';
import { table } from '../../table.ts';
import type { FoundLeap } from './leaps.ts';

/** What `publish` says of its events. */

export interface Tally {
  valid: number;
  invalid: number;
  /** Fields that nobody reads; a slip in a name is one of them. */
  unknownFields: number;
  /** How often each of them came, the first ones by their paths. */
  readonly unknownPaths: Map<string, number>;
  /** How many valid events there are of each type. */
  readonly types: Map<string, number>;
  /** The first bad lines. */
  readonly problems: (Rejection & { readonly where: string })[];
  /** Events whose revision is far above what the documents have. */
  readonly leaps: readonly FoundLeap[];
}

export function newTally(): Tally {
  return {
    valid: 0,
    invalid: 0,
    unknownFields: 0,
    unknownPaths: new Map(),
    types: new Map(),
    problems: [],
    leaps: [],
  };
}

/** Paths that are kept: a source with a new name on each line must not fill the memory. */
const KEPT_PATHS = 100;

export function rememberPath(path: string, tally: Tally): void {
  const shown = oneLine(path, 80);
  const before = tally.unknownPaths.get(shown);
  if (before === undefined && tally.unknownPaths.size >= KEPT_PATHS) return;
  tally.unknownPaths.set(shown, (before ?? 0) + 1);
}

export interface Published extends Tally {
  readonly appended: number;
  /** How long validating and appending took. */
  readonly appendedMs: number;
  /** null where nobody waited. */
  readonly waited: Waited | null;
  /** How long the waiting took; null where nobody waited. */
  readonly waitedMs: number | null;
  /** Those of the events that could not be used after all; known only where somebody waited. */
  readonly parked: readonly Stored<ParkedEvent>[];
  /** What became of the others; known only where somebody waited. */
  readonly arrived: Arrived | undefined;
  /** Whether reading stopped at a bad line. */
  readonly stopped: boolean;
  readonly interrupted: boolean;
}

export interface PublishOptions {
  readonly dryRun?: boolean;
  readonly skipInvalid?: boolean;
  readonly wait?: boolean;
  readonly json?: boolean;
}

export function succeeded(
  { invalid, waited, parked, interrupted }: Published,
  { skipInvalid }: PublishOptions,
): boolean {
  const arrived = (waited ?? 'reached') === 'reached' && parked.length === 0;
  return (invalid === 0 || skipInvalid === true) && !interrupted && arrived;
}

export function report(published: Published, asked: PublishOptions): void {
  if (asked.json) printJson(document(published));
  else tell(published, asked);
}

function document(published: Published): object {
  const { valid, invalid, unknownFields, unknownPaths, types, appended, waited, arrived, interrupted } =
    published;
  return {
    valid,
    invalid,
    types: Object.fromEntries(types),
    unknown_fields: unknownFields,
    unknown_field_paths: Object.fromEntries(unknownPaths),
    leaps: published.leaps,
    appended,
    waited,
    interrupted,
    // null where nobody waited.
    applied: arrived?.applied ?? null,
    duplicate: arrived?.duplicate ?? null,
    superseded: arrived?.superseded ?? null,
    absent: arrived?.absent ?? null,
    superseded_by: (arrived?.overruled ?? []).map(({ id, subject, own, by }) => {
      return { event_id: id, subject, own, by };
    }),
    appended_ms: Math.round(published.appendedMs),
    waited_ms: published.waitedMs === null ? null : Math.round(published.waitedMs),
    problems: published.problems.map(({ id: event_id, ...problem }) => ({ ...problem, event_id })),
    parked: published.parked.map(({ id, body }) => {
      const { id: event_id, ...why } = body.rejection;
      return { id, ...why, event_id };
    }),
  };
}

const SHOWN_PROBLEMS = 20;

function tell(published: Published, { dryRun, skipInvalid }: PublishOptions): void {
  const { valid, invalid, unknownFields, types, appended, waited, parked, interrupted, problems } = published;
  for (const { where, reason } of problems.slice(0, SHOWN_PROBLEMS)) note(`${where}: ${reason}`);
  if (invalid > SHOWN_PROBLEMS) note(`... and ${counted(invalid - SHOWN_PROBLEMS, 'more bad line')}.`);
  if (published.stopped) note('What follows this line was not read.');
  // An event that is written over several lines, or in a list, is the usual reason.
  if (invalid > 0 && valid === 0 && problems.every(({ code }) => code === 'not_json'))
    note('No line is JSON. Give NDJSON in UTF-8: one event a line, with no list around them.');
  if (unknownFields > 0) note(unknownNote(published));
  for (const leap of published.leaps.slice(0, SHOWN_PROBLEMS)) note(leapNote(leap));
  if (dryRun) {
    const counts = [...types]
      .map(([type, count]) => ({ type, count }))
      .sort((a, b) => (a.type < b.type ? -1 : 1));
    if (types.size > 0) print([...table({ type: 'type', valid: 'count' }, counts), '']);
    print(`${number(valid)} valid, ${number(invalid)} invalid; nothing was appended.`);
  } else if (appended === 0 && invalid > 0) {
    print(`Nothing was appended. Fix the lines above${skipInvalid ? '' : ', or use --skip-invalid'}.`);
  } else {
    const bad = invalid > 0 ? `, ${counted(invalid, 'bad line')}` : '';
    print(`${counted(appended, 'event')} appended${bad} in ${duration(published.appendedMs)}.`);
  }
  for (const { id, body } of parked.slice(0, SHOWN_PROBLEMS))
    print(`PARKED ${body.rejection.id ?? '-'} (${id}): ${body.rejection.reason}`);
  // Several builds may have parked it.
  const unused = new Set(
    parked.map(({ body: { topic, partition, position } }) => `${topic}/${partition}/${position}`),
  ).size;
  if (unused > 0) print(`${number(unused)} could not be used: see "${commandLine('parked list')}".`);
  if (waited === 'reached') tellReached(published, appended > unused);
  if (waited === 'halted') note(`catalog: a lane has halted: see "${commandLine('status')}".`);
  if (interrupted) note('catalog: stopped before everything was done.');
}

/** Where none was applied, readers see what they saw before. Nothing is counted where all were, which is usual. */
function tellReached({ waitedMs, arrived }: Published, isAnyUsed: boolean): void {
  for (const { id, subject, own, by, unit } of (arrived?.overruled ?? []).slice(0, SHOWN_PROBLEMS)) {
    const why =
      own === by
        ? `${tieOf(unit, by)}${unit === 'revision' ? ': publish this one with a higher one' : ''}`
        : `${unit} ${by} is in force`;
    print(`SUPERSEDED ${id} (${subject}): ${why}`);
  }
  const { applied = 0, superseded = 0, duplicate = 0, absent = 0 } = arrived ?? {};
  const others: readonly (readonly [number, string])[] = [
    [superseded, 'superseded by another event'],
    [duplicate, 'already there'],
    [absent, `in no document: outside of a window, or see "${commandLine('verify')}"`],
  ];
  const told = others.filter(([count]) => count > 0).map(([count, what]) => `${number(count)} ${what}`);
  const after = `${duration(waitedMs ?? 0)} later`;
  if (told.length > 0 && applied === 0) print(`Read ${after}, and changed nothing: ${told.join(', ')}.`);
  else if (isAnyUsed) {
    const counts = told.length === 0 ? '' : `: ${[`${number(applied)} applied`, ...told].join(', ')}`;
    print(`In the documents and the search index ${after}${counts}.`);
  }
}

function leapNote({ where, subject, from, to }: FoundLeap): string {
  const told = `the revision of ${subject} leaps from ${number(from)} to ${number(to)}`;
  return `${where}: ${told}: from now on only a higher one counts. See docs/guides/publish-events.md#a-revision-that-is-too-high.`;
}

const SHOWN_PATHS = 10;

function unknownNote({ unknownFields, unknownPaths }: Tally): string {
  const names = [...unknownPaths].map(([path, many]) =>
    many === 1 ? path : `${path} (${number(many)} times)`,
  );
  const shown = [...names.slice(0, SHOWN_PATHS), ...(names.length > SHOWN_PATHS ? ['...'] : [])].join(', ');
  const told = `${counted(unknownFields, 'field')} that nobody reads${shown === '' ? '' : `: ${shown}`}`;
  return `${told}. docs/reference/events.md has the names that are read.`;
}
