import type { Parts } from '../../compose/parts.ts';
import { ensureTopics } from '../../compose/projector.ts';
import type { NewRecord, Place } from '../../events/log/port.ts';
import { publishable } from '../../events/publishable.ts';
import { oneLine, type Rejection } from '../../events/rejection.ts';
import { everyBuild } from '../../projecting/builds/builds-by-fold.ts';
import { parkedAt } from '../../projecting/engine/parked-queries.ts';
import type { ParkedEvent } from '../../projecting/engine/parking.ts';
import { isLeap, type Leap, LEAST_LEAP, revisionIn } from '../../projecting/engine/revision-leap.ts';
import type { ReadModelDocument } from '../../projecting/engine/projection.ts';
import { createArrivals, type ArrivalCounts } from '../../projecting/inspect/publish-outcomes.ts';
import type { WaitOutcome } from '../../projecting/inspect/lane-progress.ts';
import { readAlias } from '../../stores/aliases.ts';
import type { Stored } from '../../stores/documents/port.ts';
import { createAppender } from '../batch-appender.ts';
import { linesOf } from './lines.ts';

/** Validates events, appends them, and tells what became of them. */

/** What lines were found to be. */
export type PublishCheck = Awaited<ReturnType<typeof examine>>;

export interface PublishReport extends PublishCheck {
  readonly appended: number;
  /** null where nobody waited. */
  readonly waited: WaitOutcome | null;
  /** Those of the events that could not be used after all; known only where somebody waited. */
  readonly parked: readonly Stored<ParkedEvent>[];
  /** What became of the others; null where nobody waited. */
  readonly arrived: ArrivalCounts | null;
  readonly interrupted: boolean;
}

interface Publication {
  readonly dryRun: boolean;
  readonly skipInvalid: boolean;
  readonly signal: AbortSignal;
  readonly onExamined: (lines: number) => void;
  readonly onAppended: (events: number) => void;
  /** Waits until what stands at these places is served; null where nobody waits. */
  readonly wait: ((places: readonly Place[]) => Promise<WaitOutcome>) | null;
}

/**
 * Files are examined whole before anything is appended: one bad line, and nothing is. Standard input (`-`) stops at its
 * first bad line.
 * @throws {UsageError | PermanentError} where a file cannot be read.
 */
export async function publishFiles(
  files: readonly string[],
  parts: Parts,
  publication: Publication,
): Promise<PublishReport> {
  const { dryRun, skipInvalid, signal, onExamined } = publication;
  // Standard input cannot be read twice.
  const first = dryRun ? files : files.filter((file) => file !== '-');
  const examined = await examine(first, parts, { signal, onExamined, stopsAtBad: false });
  const isRefused = examined.invalid > 0 && !skipInvalid;
  if (!dryRun && !isRefused && !signal.aborted) return await append(files, parts, publication);
  const nothing = { appended: 0, waited: null, parked: [], arrived: null };
  return { ...examined, ...nothing, interrupted: signal.aborted };
}

/** Lines are examined once more: a file may have changed, and standard input is only read now. */
async function append(
  files: readonly string[],
  parts: Parts,
  publication: Publication,
): Promise<PublishReport> {
  const { documents, log, topicName } = parts;
  const { skipInvalid, signal, onAppended, wait } = publication;
  await ensureTopics(parts);
  const live = wait ? (await everyBuild(parts)).filter(({ isLive }) => isLive) : [];
  const projections = live.flatMap(({ projection }) => projection ?? []);
  const arrivals = wait && createArrivals(documents, projections, parts.decode);
  using appender = createAppender(log, {
    onAppended,
    before: async (records) => arrivals?.before(records),
  });
  const onValid = (record: NewRecord): Promise<void> =>
    appender.add({ ...record, topic: topicName(record.topic) });
  const examined = await examine(files, parts, { signal, onValid, stopsAtBad: !skipInvalid });
  await appender.finish();
  const { appended, runs } = appender;
  const places = runs.map(({ topic, partition, to }) => ({ topic, partition, position: to - 1 }));
  const waited = wait && appended > 0 && !signal.aborted ? await wait(places) : null;
  const isThere = waited === 'reached';
  const parked = isThere ? await parkedAt(documents, runs) : [];
  const unused = parked.map(({ body }) => body);
  const arrived = isThere && arrivals ? await arrivals.after(log, runs, unused, signal) : null;
  return { ...examined, appended, waited, parked, arrived, interrupted: signal.aborted };
}

/** Problems that are kept for the report. */
const KEPT_PROBLEMS = 1000;

interface Examination extends Pick<Publication, 'signal'>, Partial<Pick<Publication, 'onExamined'>> {
  readonly stopsAtBad: boolean;
  readonly onValid?: (record: NewRecord) => Promise<void>;
}

async function examine(
  files: readonly string[],
  parts: Parts,
  { signal, stopsAtBad, onExamined, onValid }: Examination,
) {
  const leaps = createLeapWatch(parts);
  /** Without those beyond `KEPT_PROBLEMS`. */
  const problems: (Rejection & { readonly where: string })[] = [];
  const examined = {
    valid: 0,
    invalid: 0,
    /** Fields that nobody reads; a slip in a name is one of them. */
    unknown_fields: 0,
    /** How many there are by path, of the first paths. */
    unknown_field_paths: new Map<string, number>(),
    problems,
    /** Events whose revision is far above what the documents have. */
    leaps: leaps.found,
    /** Whether reading stopped at a bad line. */
    stopped: false,
  };
  for await (const { where, bytes } of linesOf(files, signal)) {
    const line = publishable(bytes);
    if (line.outcome === 'valid') {
      examined.valid += 1;
      examined.unknown_fields += line.unknownPaths.length;
      for (const path of line.unknownPaths) countPath(path, examined.unknown_field_paths);
      await leaps.look(where, line.record, line.revision);
      await onValid?.(line.record);
    } else {
      examined.invalid += 1;
      if (problems.length < KEPT_PROBLEMS) problems.push({ where, ...line.rejection });
      examined.stopped = stopsAtBad;
      if (stopsAtBad) break;
    }
    onExamined?.(examined.valid + examined.invalid);
  }
  return examined;
}

/** Paths that are kept: a source with a new name on each line must not fill the memory. */
const KEPT_PATHS = 100;

function countPath(path: string, paths: Map<string, number>): void {
  const shown = oneLine(path, 80);
  const before = paths.get(shown);
  if (before === undefined && paths.size >= KEPT_PATHS) return;
  paths.set(shown, (before ?? 0) + 1);
}

/** Documents that are read for it, at most: a revision that is no count is seldom alone. */
const MOST_LOOKS = 1000;

/** Looks at one event after the other, and keeps those whose revision is far above that of the documents. */
export function createLeapWatch({ documents, projections }: Pick<Parts, 'documents' | 'projections'>) {
  const found: (Leap & { readonly where: string; readonly subject: string })[] = [];
  let looks = 0;
  return {
    found,
    async look(where: string, { topic, key }: NewRecord, revision: number | null): Promise<void> {
      if (revision === null || key === null || revision <= LEAST_LEAP || looks >= MOST_LOOKS) return;
      looks += 1;
      for (const { name } of projections.filter(({ topics }) => topics.includes(topic))) {
        const alias = await readAlias(documents, name);
        const stored =
          alias && (await documents.get<ReadModelDocument>(alias.collection, [key])).get(key)?.body;
        const leap = { from: revisionIn(stored?.registers), to: revision };
        if (isLeap(leap)) found.push({ where, subject: key, ...leap });
      }
    },
  };
}
