import type { Log, PartitionEnds } from '../../events/log/port.ts';
import type { Clock } from '../../platform/clock.ts';
import { RetryableError } from '../../platform/errors.ts';
import { haltOf, laneName, type Checkpoint, type Halt, type LaneId } from './lane.ts';
import { compareLast, type Compared } from './last-record.ts';
import { Stopped } from './retry.ts';

/** Whether a log is still the one that a checkpoint was made from. */
export interface Fit {
  readonly ends: PartitionEnds;
  /** Why the lane cannot go on with this log; null where it can. */
  readonly halt: Halt | null;
  /** What became of the comparison of the last consumed record; null where there is none, or nothing to compare with. */
  readonly compared: Compared | null;
}

export interface FitParts {
  readonly log: Log;
  readonly clock: Clock;
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
  if (checkpoint === null || halt) return { ends, halt, compared: null };
  const found = last && (last.position < ends.earliest ? 'absent' : await compareLast(lane, last, parts));
  if (last && found && typeof found !== 'string') {
    const { position, time } = last;
    return { ends, halt: { reason: 'log_replaced', position, time, found: found.time }, compared: null };
  }
  const compared = typeof found === 'string' ? found : null;
  const { halted } = checkpoint;
  const stands = halted !== null && halted.reason !== 'gap' && compared !== 'same';
  return { ends, halt: stands ? halted : null, compared };
}

/** Brokers that have just started, or are about to stop, may answer for once what is not so. */
const READINGS = 3;
/** The pause between two of them, in milliseconds. */
export const READING_PAUSE_MS = 2000;

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
    if (signal.aborted) throw new Stopped('stopped while the log was looked at again');
  }
}

async function readEnds(log: Log, lane: LaneId): Promise<PartitionEnds> {
  const ends = (await log.ends(lane.topic)).find(({ partition }) => partition === lane.partition);
  if (!ends)
    throw new RetryableError(`${laneName(lane)}: the log does not know this partition at the moment.`);
  return ends;
}
