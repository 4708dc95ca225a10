import type { FoundLeap } from '../../../operations/publish/leaps.ts';
import type { PublishCheck, PublishReport } from '../../../operations/publish/publish.ts';
import { commandLine } from '../../../platform/text/command-line.ts';
import { counted, number } from '../../../texts/plain.ts';
import { tieOf } from '../../../projecting/inspect/event-evidence.ts';
import { note, print, printJson } from '../../output.ts';

/** What `publish` says of its events. */

export interface PublishOptions {
  readonly dryRun?: boolean;
  readonly skipInvalid?: boolean;
  readonly wait?: boolean;
  readonly json?: boolean;
}

export function succeeded(
  { invalid, waited, parked, interrupted }: PublishReport,
  { skipInvalid }: PublishOptions,
): boolean {
  const arrived = (waited ?? 'reached') === 'reached' && parked.length === 0;
  return (invalid === 0 || skipInvalid === true) && !interrupted && arrived;
}

export function report(published: PublishReport, asked: PublishOptions): void {
  if (asked.json) printJson(document(published));
  else tell(published, asked);
}

function document(published: PublishReport): object {
  const { valid, invalid, unknownFields, unknownPaths, appended, waited, arrived, interrupted } = published;
  return {
    valid,
    invalid,
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
    problems: published.problems.map(({ id: event_id, ...problem }) => ({ ...problem, event_id })),
    parked: published.parked.map(({ id, body }) => {
      const { id: event_id, ...why } = body.rejection;
      return { id, ...why, event_id };
    }),
  };
}

const SHOWN_PROBLEMS = 20;

function tell(published: PublishReport, { dryRun, skipInvalid }: PublishOptions): void {
  const { valid, invalid, unknownPaths, appended, waited, parked, interrupted, problems } = published;
  for (const { where, reason } of problems.slice(0, SHOWN_PROBLEMS)) note(`${where}: ${reason}`);
  if (invalid > SHOWN_PROBLEMS) note(`... and ${counted(invalid - SHOWN_PROBLEMS, 'more bad line')}.`);
  if (published.stopped) note('What follows this line was not read.');
  // An event that is written over several lines, or in a list, is the usual reason.
  if (invalid > 0 && valid === 0 && problems.every(({ code }) => code === 'not_json'))
    note('No line is JSON. Give NDJSON in UTF-8: one event a line, with no list around them.');
  if (unknownPaths.size > 0) note(unknownNote(unknownPaths));
  for (const leap of published.leaps.slice(0, SHOWN_PROBLEMS)) note(leapNote(leap));
  if (dryRun) {
    print(`${number(valid)} valid, ${number(invalid)} invalid; nothing was appended.`);
  } else if (appended === 0 && invalid > 0) {
    print(`Nothing was appended. Fix the lines above${skipInvalid ? '' : ', or use --skip-invalid'}.`);
  } else {
    const bad = invalid > 0 ? `, ${counted(invalid, 'bad line')}` : '';
    print(`${counted(appended, 'event')} appended${bad}.`);
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
function tellReached({ arrived }: PublishReport, isAnyUsed: boolean): void {
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
  if (told.length > 0 && applied === 0) print(`Read, and changed nothing: ${told.join(', ')}.`);
  else if (isAnyUsed) {
    const counts = told.length === 0 ? '' : `: ${[`${number(applied)} applied`, ...told].join(', ')}`;
    print(`In the documents and the search index${counts}.`);
  }
}

function leapNote({ where, subject, from, to }: FoundLeap): string {
  const told = `the revision of ${subject} leaps from ${number(from)} to ${number(to)}`;
  return `${where}: ${told}: from now on only a higher one counts. See docs/guides/publish-events.md#a-revision-that-is-too-high.`;
}

const SHOWN_PATHS = 10;

function unknownNote(paths: PublishCheck['unknownPaths']): string {
  const names = [...paths].map(([path, many]) => (many === 1 ? path : `${path} (${number(many)} times)`));
  const rest = names.length > SHOWN_PATHS ? ', ...' : '';
  return `Fields that nobody reads: ${names.slice(0, SHOWN_PATHS).join(', ')}${rest}. docs/reference/events.md has the names that are read.`;
}
