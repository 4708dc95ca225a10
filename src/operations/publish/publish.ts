import type { Parts } from '../../compose/parts.ts';
import { ensureTopics } from '../../compose/projector.ts';
import type { NewRecord, Place } from '../../events/log/port.ts';
import { publishable } from '../../events/publishable.ts';
import { oneLine, type Rejection } from '../../events/rejection.ts';
import { everyBuild } from '../../projecting/builds/standing-builds.ts';
import { parkedAt } from '../../projecting/engine/parked-events.ts';
import type { ParkedEvent } from '../../projecting/engine/parking.ts';
import { createArrivals, type ArrivalCounts } from '../../projecting/inspect/publish-outcomes.ts';
import type { WaitOutcome } from '../../projecting/inspect/progress.ts';
import type { Stored } from '../../stores/documents/port.ts';
import { createAppender } from '../appender.ts';
import { createLeapWatch, type FoundLeap } from './leaps.ts';
import { linesOf } from './lines.ts';

/** Validates events, appends them, and tells what became of them. */

/** What lines were found to be. */
export interface PublishCheck {
  valid: number;
  invalid: number;
  /** Fields that nobody reads; a slip in a name is one of them. */
  unknownFields: number;
  /** How many there are by path, of the first paths. */
  readonly unknownPaths: Map<string, number>;
  /** The first bad lines. */
  readonly problems: (Rejection & { readonly where: string })[];
  /** Events whose revision is far above what the documents have. */
  readonly leaps: readonly FoundLeap[];
  /** Whether reading stopped at a bad line. */
  stopped: boolean;
}

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
  const arrivals = wait && (await arrivalsOf(parts));
  await using appender = createAppender(log, {
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

async function arrivalsOf(parts: Parts) {
  const live = (await everyBuild(parts)).filter(({ isLive }) => isLive);
  const projections = live.flatMap(({ projection }) => projection ?? []);
  return createArrivals(parts.documents, projections, parts.decode);
}

/** Problems that are kept for the report. */
const KEPT_PROBLEMS = 1000;

interface Examination {
  readonly signal: AbortSignal;
  readonly stopsAtBad: boolean;
  readonly onExamined?: (lines: number) => void;
  readonly onValid?: (record: NewRecord) => Promise<void>;
}

async function examine(
  files: readonly string[],
  parts: Parts,
  { signal, stopsAtBad, onExamined, onValid }: Examination,
): Promise<PublishCheck> {
  const leaps = createLeapWatch(parts);
  const problems: PublishCheck['problems'] = [];
  const examined: PublishCheck = {
    valid: 0,
    invalid: 0,
    unknownFields: 0,
    unknownPaths: new Map(),
    problems,
    leaps: leaps.found,
    stopped: false,
  };
  for await (const { where, bytes } of linesOf(files, signal)) {
    const line = publishable(bytes);
    if (line.outcome === 'valid') {
      examined.valid += 1;
      examined.unknownFields += line.unknownPaths.length;
      for (const path of line.unknownPaths) countPath(path, examined.unknownPaths);
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
