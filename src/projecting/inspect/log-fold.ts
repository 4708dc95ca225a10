import type { Decode } from '../../events/decode.ts';
import type { CatalogEvent } from '../../events/event.ts';
import type { Batch, Position } from '../../events/log/port.ts';
import { systemClock } from '../../platform/time/clock.ts';
import { RetryableError } from '../../platform/errors.ts';
import { reasonOfHalt, laneName } from '../engine/lane.ts';
import { readFit } from '../engine/log-fit.ts';
import { parkedId } from '../engine/parking.ts';
import { readProgress, type LaneProgress, type ProgressParts } from './lane-progress.ts';
import { collectionOf, type Projection } from '../engine/projection.ts';
import { StoppedError } from '../engine/retry.ts';
import { omissionsOf, isWithin, type ParkedRange } from '../replay/build-omissions.ts';
import { foldInMemory, foldEvent } from '../replay/fold-history.ts';
import { partitionsOf } from '../replay/history.ts';
import { TEXTS } from '../../texts/texts.ts';

/** A fold of the log from its beginning, in memory: what the documents are compared with. */

export interface FoldParts extends ProgressParts {
  readonly decode: Decode;
  readonly signal: AbortSignal;
  /** Called with the number of records folded so far and the number to fold in all. */
  readonly onProgress?: (records: number, total: number) => void;
  /** Waited for every few milliseconds of work, for those who share the thread. Default: nobody does. */
  readonly rest?: () => Promise<void>;
}

/** After so many records or documents others have their turn. */
export const PORTION = 100;

/** What a verification has found. */
export interface Difference {
  /** A document's id, or the name of a lane or of a record in it. */
  readonly where: string;
  readonly code: DifferenceCode;
  /** One line for people. */
  readonly problem: string;
}

const WORDS = TEXTS.en.operator.verification.codes;
export type DifferenceCode = keyof typeof WORDS;

/** `detail`: what a program says of it. */
export function difference(where: string, code: DifferenceCode, detail?: string): Difference {
  return { where, code, problem: detail === undefined ? WORDS[code] : `${WORDS[code]}: ${detail}` };
}

export interface LogFold {
  /** The registers of each document, by its id. */
  readonly registers: Map<string, unknown>;
  readonly records: number;
  /** Whether the log no longer holds, or never held, all that the documents are made of. */
  readonly logCut: boolean;
  /** The lanes, with the positions up to which they were folded. */
  readonly lanes: readonly LaneProgress[];
  /** Parked events that could be folded today. They may be in the documents: a redrive may be under way. */
  readonly optional: readonly CatalogEvent[];
  readonly findings: readonly Difference[];
}

/**
 * Folds every record that is not parked, up to the checkpoints.
 * @throws {StoppedError} where the signal was aborted.
 */
export async function foldLog(projection: Projection, parts: FoldParts): Promise<LogFold> {
  const lanes = await readProgress({ ...parts, projections: [projection] });
  // After the checkpoints: what was parked before one of them is known.
  const omissions = await omissionsOf(parts.documents, collectionOf(projection));
  const registers: Map<string, unknown> = new Map();
  const optional: CatalogEvent[] = [];
  const findings: Difference[] = [];
  const { decode = parts.decode } = projection;
  const total = lanes.reduce((sum, lane) => sum + Math.max(0, upTo(lane) - lane.earliest), 0);
  let [records, seen] = [0, 0];
  for (const lane of lanes) {
    const { checkpoint } = lane;
    const fits = { log: parts.log, clock: systemClock, signal: parts.signal };
    const halt = checkpoint && (checkpoint.halted ?? (await readFit(lane, checkpoint, fits)).halt);
    // What was read of such a lane cannot be folded from this log.
    if (halt) findings.push(difference(laneName(lane), 'halted', reasonOfHalt(lane, halt)));
    const before = records;
    const ranges = omissions.rangesOf(lane).filter(({ from, to }) => to > lane.earliest && from < upTo(lane));
    // However many records a range was meant to be, it was counted as one.
    const apart = countApart(ranges);
    records += apart;
    for await (const batch of readLane(lane, lane.earliest, upTo(lane), parts)) {
      for (const record of batch.records) {
        seen += 1;
        if (seen % PORTION === 0) await parts.rest?.();
        const decoded = decode(record);
        const isParked = omissions.leavesOut(record);
        if (isParked && decoded.outcome === 'event') optional.push(decoded.event);
        const reason = isParked ? null : foldInMemory(projection, decoded, registers);
        if (reason !== null) {
          const where = parkedId(lane, incarnationOf(lane), record.position);
          findings.push(difference(where, 'not_folded', reason));
        }
        if (ranges.some((range) => isWithin(range, record))) continue;
        records += 1;
        if (records % 1000 === 0) parts.onProgress?.(records, total);
      }
      for (const { from, to, reason } of batch.unreadable ?? [])
        if (!ranges.some((range) => range.from < to && from < range.to))
          findings.push(difference(`${laneName(lane)}/${from}-${to - 1}`, 'not_read', reason));
    }
    findings.push(...countsAddUp(lane, records - before, ranges.length - apart));
  }
  const logCut = lanes.some((lane) => lane.earliest > 0 || incarnationOf(lane) > 0);
  return { registers, records, logCut, lanes, optional, findings };
}

/**
 * Folds on, for some documents: what was appended after the fold's checkpoints and what is parked, since documents may
 * be ahead of their checkpoint. Returns the registers of those documents alone.
 * @throws {RetryableError} where the log does not know its end at the moment.
 */
export async function foldFurther(
  projection: Projection,
  parts: FoldParts,
  fold: LogFold,
  ids: ReadonlySet<string>,
): Promise<Map<string, unknown>> {
  const { decode = parts.decode } = projection;
  const further = new Map([...fold.registers].filter(([id]) => ids.has(id)));
  for (const event of fold.optional) foldEvent(projection, event, further);
  for (const lane of fold.lanes) {
    const held = await partitionsOf(parts.log, [lane.topic]);
    const end = held.find(({ partition }) => partition === lane.partition)?.end;
    if (end === undefined || end < upTo(lane))
      throw new RetryableError(`${laneName(lane)}: the log does not say how far it is at the moment.`);
    for await (const { records } of readLane(lane, upTo(lane), end, parts))
      for (const record of records) foldInMemory(projection, decode(record), further);
  }
  return further;
}

/** Where the fold of a lane ends: its checkpoint, or the end of a log that does not reach that far. */
function upTo({ position, latest, earliest }: LaneProgress): Position {
  return Math.min(position ?? earliest, latest);
}

function incarnationOf({ checkpoint }: LaneProgress): number {
  return checkpoint?.incarnation ?? 0;
}

async function* readLane(
  { topic, partition }: LaneProgress,
  from: Position,
  to: Position,
  { log, signal }: FoldParts,
): AsyncIterable<Batch> {
  if (from < to && !signal.aborted) yield* log.read({ topic, partition, from, to, signal });
  if (signal.aborted) throw new StoppedError('stopped');
}

/**
 * How many ranges there are where those that overlap are one: a worker that crashed between parking a range and its
 * checkpoint has left it behind, and what was read then need not have ended where it did the first time.
 */
function countApart(ranges: readonly ParkedRange[]): number {
  let count = 0;
  let end = 0;
  for (const { from, to } of ranges.toSorted((a, b) => a.from - b.from)) {
    if (from >= end) count += 1;
    end = Math.max(end, to);
  }
  return count;
}

/**
 * Nothing is lost: what the checkpoint says it applied, superseded, parked and ignored is every record there was, and
 * `doubtful` ones at most besides.
 */
function countsAddUp(lane: LaneProgress, read: number, doubtful: number): readonly Difference[] {
  if (!lane.checkpoint || lane.earliest > 0 || lane.checkpoint.position > lane.latest) return [];
  const { applied, superseded, parked, ignored } = lane.checkpoint.counts;
  const counted = applied + superseded + parked + ignored;
  if (counted >= read && counted <= read + doubtful) return [];
  return [difference(laneName(lane), 'counts_differ', `${counted} counted, ${read} in the log`)];
}
