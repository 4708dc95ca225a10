import type { Log, LogRecord, Position } from '../../events/log/port.ts';
import { sha256 } from '../../platform/canonical.ts';
import type { Clock } from '../../platform/clock.ts';
import { PermanentError, RetryableError } from '../../platform/errors.ts';
import type { LaneId } from './lane.ts';
import { Stopped } from './retry.ts';

/**
 * The last record that a lane has consumed, so that a log that was restored or made again is told from the one that was
 * read, even where it has grown past the checkpoint.
 *
 * What stays undetected: a log that holds a record of the same bytes and the same time at this very position, and other
 * records elsewhere. A log that was published again has other times, unless its records were copied with theirs.
 */
export interface LastRecord {
  readonly position: Position;
  /** The log's own time of the record, Unix milliseconds. */
  readonly time: number;
  /** SHA-256, base64url: see `recordDigest`. */
  readonly digest: string;
}

/**
 * `absent`: the log holds nothing at that position any more (retention, compaction). `unreadable`: what is there cannot
 * be read.
 */
export type Compared = 'same' | 'absent' | 'unreadable';

export function lastRecord({ position, timestamp, ...record }: LogRecord): LastRecord {
  return { position, time: timestamp, digest: recordDigest(record) };
}

/**
 * The digest of a record as the log hands it out: its key, its value, then the names and values of its headers in the
 * order of the names. Each of them is preceded by its length in bytes, 4 bytes big-endian; an absent key or value is the
 * length 0xffffffff alone. Text is UTF-8. Neither the position nor the time is part of it.
 */
export function recordDigest({ key, value, headers }: Pick<LogRecord, 'key' | 'value' | 'headers'>): string {
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

export interface CompareParts {
  readonly log: Log;
  readonly clock: Clock;
  /** Ends the wait for the log, with `Stopped`. */
  readonly signal: AbortSignal;
}

/** One record is asked for; a log that has not answered by then is asked again by whoever repeats the call. */
const READ_MS = 10_000;

/**
 * What stands now where the lane's last record stood; another record is returned as it is. The position must be in the
 * log: at or above its earliest, below its latest.
 * @throws {RetryableError} where the log does not answer.
 */
export async function compareLast(
  lane: LaneId,
  last: LastRecord,
  parts: CompareParts,
): Promise<Compared | LastRecord> {
  let found: LogRecord | Exclude<Compared, 'same'>;
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

async function recordAt(
  { topic, partition }: LaneId,
  position: Position,
  { log, clock, signal }: CompareParts,
): Promise<LogRecord | Exclude<Compared, 'same'>> {
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
    if (signal.aborted) throw new Stopped('stopped while the log was compared');
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
