import { oneLine, type Rejection } from '../../../events/rejection.ts';
import { commandLine } from '../../../platform/command-line.ts';
import type { Arrived } from '../../../projecting/inspect/arrivals.ts';
import { tieOf } from '../../../projecting/inspect/evidence.ts';
import type { Waited } from '../../../projecting/inspect/progress.ts';
import type { ParkedEvent } from '../../../projecting/engine/parking.ts';
import type { Stored } from '../../../stores/documents/port.ts';
import { counted, duration, number } from '../../../platform/amounts.ts';
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
  const { valid, invalid, unknownFields, unknownPaths, types, appended, waited, interrupted } = published;
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
    ...arrivedDocument(published.arrived),
    appended_ms: Math.round(published.appendedMs),
    waited_ms: published.waitedMs === null ? null : Math.round(published.waitedMs),
    problems: published.problems.map(({ id: event_id, ...problem }) => ({ ...problem, event_id })),
    parked: published.parked.map(({ id, body }) => {
      const { id: event_id, ...why } = body.rejection;
      return { id, ...why, event_id };
    }),
  };
}

/** Counts null where nobody waited. */
function arrivedDocument(arrived: Arrived | undefined): object {
  return {
    applied: arrived?.applied ?? null,
    duplicate: arrived?.duplicate ?? null,
    superseded: arrived?.superseded ?? null,
    absent: arrived?.absent ?? null,
    superseded_by: (arrived?.overruled ?? []).map(({ id: event_id, subject, own, by }) => ({
      event_id,
      subject,
      own,
      by,
    })),
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
  const unused = new Set(
    parked.map(({ body: { topic, partition, position } }) => `${topic}/${partition}/${position}`),
  ).size;
  const isOne = appended === 1;
  if (unused > 0)
    print(
      `${isOne ? 'It' : `${number(unused)} of them`} could not be used: see "${commandLine('parked list')}".`,
    );
  else if (waited === 'reached') print(reached(published, isOne));
  if (published.arrived) tellArrived(published.arrived, unused > 0);
  if (waited === 'halted') note(`catalog: a lane has halted: see "${commandLine('status')}".`);
  if (interrupted) note('catalog: stopped before everything was done.');
}

/** Where none was applied, what became of them: readers see what they saw before. */
function reached({ waitedMs, arrived }: Published, isOne: boolean): string {
  const after = `${duration(waitedMs ?? 0)} later`;
  if (!arrived || arrived.applied > 0 || othersOf(arrived).length === 0)
    return `${isOne ? 'It has' : 'They have'} reached the documents and the search index ${after}.`;
  const others = othersOf(arrived).map(([count, what]) => (isOne ? what : `${number(count)} ${what}`));
  return `${isOne ? 'It was' : 'They were'} read ${after}, and changed nothing: ${others.join(', ')}.`;
}

/** What became of those that were not applied, with how many there are. */
function othersOf({ superseded, duplicate, absent }: Arrived): readonly (readonly [number, string])[] {
  const all: readonly (readonly [number, string])[] = [
    [superseded, 'superseded by another event'],
    [duplicate, 'already there'],
    [absent, `in no document: outside of a window, or see "${commandLine('verify')}"`],
  ];
  return all.filter(([count]) => count > 0);
}

/** Says nothing of counts where all of them were applied, which is usual, or where they are told already. */
function tellArrived(arrived: Arrived, hasUnused: boolean): void {
  for (const { id, subject, own, by, unit } of arrived.overruled.slice(0, SHOWN_PROBLEMS)) {
    const why =
      own === by
        ? `${tieOf(unit, by)}${unit === 'revision' ? ': publish this one with a higher one' : ''}`
        : `${unit} ${by} is in force`;
    print(`SUPERSEDED ${id} (${subject}): ${why}`);
  }
  const others = othersOf(arrived);
  if (others.length === 0 || (arrived.applied === 0 && !hasUnused)) return;
  const told = [[arrived.applied, 'applied'] as const, ...others];
  print(`Of them: ${told.map(([count, what]) => `${number(count)} ${what}`).join(', ')}.`);
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
