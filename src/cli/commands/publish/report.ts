import type { PublishCheck, PublishReport } from '../../../operations/publish/publish.ts';
import { commandLine } from '../../../platform/text/command-hint.ts';
import { tieOf } from '../../../projecting/inspect/event-effect-on-document.ts';
import { counted, number } from '../../../texts/english-amounts.ts';
import { note, print } from '../../output.ts';

/** What came of publishing, for scripts and for people. */

export interface PublishOptions {
  readonly dryRun?: boolean;
  readonly skipInvalid?: boolean;
  readonly wait?: boolean;
}

/** As scripts get it. */
export function document(published: PublishReport): object {
  const { stopped: _stopped, unknown_field_paths, arrived, problems, parked, ...rest } = published;
  const { overruled, ...counts } = arrived ?? NOBODY_WAITED;
  return {
    ...rest,
    unknown_field_paths: Object.fromEntries(unknown_field_paths),
    ...counts,
    superseded_by: overruled.map(({ id: event_id, subject, own, by }) => ({ event_id, subject, own, by })),
    problems: problems.map(({ id: event_id, ...problem }) => ({ ...problem, event_id })),
    parked: parked.map(({ id, body: { rejection } }) => {
      const { id: event_id, ...why } = rejection;
      return { id, ...why, event_id };
    }),
  };
}

const NOBODY_WAITED = { applied: null, duplicate: null, superseded: null, absent: null, overruled: [] };

const SHOWN_PROBLEMS = 20;

/** As people read it. */
export function tell(published: PublishReport, { dryRun, skipInvalid }: PublishOptions): void {
  const {
    valid,
    invalid,
    unknown_field_paths: unknownPaths,
    appended,
    waited,
    parked,
    interrupted,
    problems,
  } = published;
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
        ? `${tieOf(unit, by)}${unit === 'revision' ? whatBeats(by) : ''}`
        : `${unit} ${by} is in force`;
    print(`SUPERSEDED ${id} (${subject}): ${why}`);
  }
  const { applied = 0, superseded = 0, duplicate = 0, absent = 0 } = arrived ?? {};
  const outside = `in no document: outside of a window, or see "${commandLine('verify')}"`;
  const told = [
    ...(superseded > 0 ? [`${number(superseded)} superseded by another event`] : []),
    ...(duplicate > 0 ? [`${number(duplicate)} already there`] : []),
    ...(absent > 0 ? [`${number(absent)} ${outside}`] : []),
  ];
  if (told.length > 0 && applied === 0) print(`Read, and changed nothing: ${told.join(', ')}.`);
  else if (isAnyUsed) {
    const counts = told.length === 0 ? '' : `: ${[`${number(applied)} applied`, ...told].join(', ')}`;
    print(`In the documents and the search index${counts}.`);
  }
}

function whatBeats(revision: number | string): string {
  return revision === Number.MAX_SAFE_INTEGER
    ? `, and nothing goes above. ${TOO_HIGH}`
    : ': publish this one with a higher one';
}

function leapNote({ where, subject, from, to }: PublishCheck['leaps'][number]): string {
  const told = `the revision of ${subject} leaps from ${number(from)} to ${number(to)}`;
  return `${where}: ${told}: from now on only a higher one counts. ${TOO_HIGH}`;
}

const TOO_HIGH = 'See docs/guides/publish-events.md#a-revision-that-is-too-high.';

const SHOWN_PATHS = 10;

function unknownNote(paths: PublishCheck['unknown_field_paths']): string {
  const names = [...paths].map(([path, many]) => (many === 1 ? path : `${path} (${number(many)} times)`));
  const rest = names.length > SHOWN_PATHS ? ', ...' : '';
  return `Fields that nobody reads: ${names.slice(0, SHOWN_PATHS).join(', ')}${rest}. docs/reference/events.md has the names that are read.`;
}
