import type { Log, LogRecord, PartitionEnds, Position } from '../../events/log/port.ts';
import { sha256 } from '../../platform/canonical.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { PermanentError, RetryableError } from '../../platform/errors.ts';
import type { Halt } from '../../findings/finding.ts';
import { haltOf, laneName, type Checkpoint, type LaneId, type LastRecord } from './lane.ts';
import { StoppedError } from './retry.ts';

/** Whether a log is still the one that a checkpoint was made from. */
export interface Fit {
  readonly ends: PartitionEnds;
  /** Why the lane cannot go on with this log; null where it can. */
  readonly halt: Halt | null;
  /** Why the last consumed record could not be compared; null where it could, or nothing is known of it. */
  readonly uncompared: NoMatch | null;
}

/**
 * What stands where the last consumed record stood. `absent`: the log holds nothing there any more (retention, compaction).
 * `unreadable`: what is there cannot be read.
 */
type RecordMatch = 'same' | NoMatch;
type NoMatch = 'absent' | 'unreadable';

interface FitParts {
  readonly log: Log;
  readonly clock: Clock;
  /** Ends the wait for the log, with `StoppedError`. */
  readonly signal: AbortSignal;
}

/**
 * One reading. A lane that has halted over a log that was replaced goes on by itself only where its last record is
 * found again: a log that has grown meanwhile, or does not show that record, proves nothing.
 * @throws {RetryableError} where the log does not know the partition at the moment, or does not answer.
 */
export async function readFit(lane: LaneId, checkpoint: Checkpoint | null, parts: FitParts): Promise<Fit> {
  const ends = await readEnds(parts.log, lane);
  const halt = checkpoint && haltOf(checkpoint, ends);
  const last = checkpoint?.last ?? null;
  if (checkpoint === null || halt) return { ends, halt, uncompared: null };
  const found = last && (last.position < ends.earliest ? 'absent' : await compareLast(lane, last, parts));
  if (last && found && typeof found !== 'string') {
    const { position, time } = last;
    const replaced: Halt = { reason: 'log_replaced', position, time, found: found.time };
    return { ends, halt: replaced, uncompared: null };
  }
  const { halted } = checkpoint;
  const uncompared = found === 'absent' || found === 'unreadable' ? found : null;
  const stands = halted !== null && halted.reason !== 'gap' && found !== 'same';
  return { ends, halt: stands ? halted : null, uncompared };
}

/** Brokers that have just started, or are about to stop, may answer for once what is not so. */
const READINGS = 3;
/** The pause between two of them, in milliseconds. */
const READING_PAUSE_MS = 2000;

/**
 * Reads until the fit is certain: one that lets the lane go on is taken at once, one that would halt it only where so
 * many readings in a row say the same, some seconds apart.
 * @param doubt is told of a reading that is to be repeated.
 */
export async function readCertainFit(
  read: () => Promise<Fit>,
  doubt: (halt: Halt) => void,
  { clock, signal }: Pick<FitParts, 'clock' | 'signal'>,
  pauseMs: number = READING_PAUSE_MS,
): Promise<Fit> {
  let alike = 0;
  for (let before: Halt['reason'] | null = null; ;) {
    const fit = await read();
    if (!fit.halt) return fit;
    // The positions themselves may move on between two readings: a log that was made again is written to.
    alike = fit.halt.reason === before ? alike + 1 : 1;
    if (alike === READINGS) return fit;
    before = fit.halt.reason;
    doubt(fit.halt);
    await clock.sleep(pauseMs, signal);
    if (signal.aborted) throw new StoppedError('stopped while the log was looked at again');
  }
}

async function readEnds(log: Log, lane: LaneId): Promise<PartitionEnds> {
  const ends = (await log.ends(lane.topic)).find(({ partition }) => partition === lane.partition);
  if (!ends)
    throw new RetryableError(`${laneName(lane)}: the log does not know this partition at the moment.`);
  return ends;
}

export function lastRecord({ position, timestamp, ...record }: LogRecord): LastRecord {
  return { position, time: timestamp, digest: recordDigest(record) };
}

/**
 * The digest of a record as the log hands it out: its key, its value, then the names and values of its headers in the
 * order of the names. Each of them is preceded by its length in bytes, 4 bytes big-endian; an absent key or value is the
 * length 0xffffffff alone. Text is UTF-8. Neither the position nor the time is part of it.
 */
function recordDigest({ key, value, headers }: Pick<LogRecord, 'key' | 'value' | 'headers'>): string {
  const chunks: Uint8Array[] = [];
  const names = Object.keys(headers).sort();
  for (const part of [key, value, ...names.flatMap((name) => [name, headers[name] ?? ''])]) {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part;
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes?.length ?? 0xff_ff_ff_ff);
    chunks.push(length);
    if (bytes) chunks.push(bytes);
  }
  return sha256(Buffer.concat(chunks));
}

/** One record is asked for; a log that has not answered by then is asked again by the caller. */
const READ_MS = 10_000;

/**
 * What stands now where the lane's last record stood; another record is returned as it is. The position must be in the
 * log: at or above its earliest, below its latest.
 * @throws {RetryableError} where the log does not answer.
 */
async function compareLast(
  lane: LaneId,
  last: LastRecord,
  parts: FitParts,
): Promise<RecordMatch | LastRecord> {
  let found: LogRecord | NoMatch;
  try {
    found = await recordAt(lane, last.position, parts);
  } catch (thrown) {
    if (thrown instanceof PermanentError) return 'unreadable';
    throw thrown;
  }
  if (typeof found === 'string') return found;
  const now = lastRecord(found);
  return now.time === last.time && now.digest === last.digest ? 'same' : now;
}

/** Why a wait is over early. Nobody sees it, and an error of its own for each would have to say where it was made. */
const ENDED = new Error('there is an answer, or nobody waits for it any more');

async function recordAt({ topic, partition }: LaneId, position: Position, { log, clock, signal }: FitParts) {
  const over = new AbortController();
  const ended = new AbortController();
  let isOver = false;
  // Not `AbortSignal.any`, nor an abort that nobody hears: a lane compares often, and both are dear.
  const end = (): void => ended.abort(ENDED);
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  const limit = clock.sleep(READ_MS, ended.signal).then(() => {
    if (!isOver) over.abort();
  });
  try {
    const range = { topic, partition, from: position, to: position + 1, signal: over.signal };
    for await (const batch of log.read(range)) {
      const found = batch.records.find((record) => record.position === position);
      if (found) return found;
      if (batch.unreadable) return 'unreadable';
    }
    if (signal.aborted) throw new StoppedError('stopped while the log was compared');
    if (over.signal.aborted)
      throw new RetryableError(`${topic}/${partition} does not show what is at ${position}.`);
    return 'absent';
  } finally {
    isOver = true;
    signal.removeEventListener('abort', end);
    end();
    await limit;
  }
}
