import { backoff } from '../../platform/time/backoff.ts';
import { messageOf } from '../../platform/errors.ts';
import { annotateLane, LaneReplaced, type GuardedCheckpoint, type NextState } from './guarded-checkpoint.ts';
import type { Halt } from '../../findings/finding.ts';
import { CHECKPOINTS, explainHalt, reasonOfHalt, type Checkpoint } from './lane.ts';
import { isStillOurs, writeCheckpoint, type LaneContext, type LaneParts } from './lane-context.ts';
import { readCertainFit, readFit, type Fit } from './log-fit.ts';
import { StoppedError } from './retry.ts';

/*
 * What a lane says of its trouble, in its state and in the log of the process: pauses, which end by themselves, and halts,
 * which end once the log fits the checkpoint again and stand in that as well.
 */

/** What a failure is called that no retry has taken care of. */
const WORK = 'work on the lane';

/** The pauses after failures that no retry takes care of, in milliseconds: doubled each time. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
/** How often a halted lane looks whether its log is the one again that was read. */
const HALTED_LOOK_MS = 30_000;

/**
 * Writes to the store, the checkpoint as it is, so that a document which is refused is told from a store that refuses
 * everything.
 */
export async function proveStore(
  context: LaneContext,
  held: GuardedCheckpoint | null,
  reason: string,
): Promise<void> {
  if (!held) return;
  context.watch.failed(WORK, reason);
  await writeCheckpoint(context, held, (it) => annotateLane(it, {}));
}

/** Says that a lane pauses after a failure that nobody has taken care of. Returns for how long, in milliseconds. */
export function sayPaused({ name, watch, parts }: LaneContext, thrown: unknown, failures: number): number {
  const reason = messageOf(thrown);
  const pauseMs = pauseAfter(failures, parts);
  watch.failed(WORK, reason);
  parts.logger.warn({ lane: name, reason, failures, pauseMs, err: thrown }, 'lane paused');
  return pauseMs;
}

function pauseAfter(failures: number, { random = Math.random }: LaneParts): number {
  return Math.round(backoff(failures, FIRST_PAUSE_MS, LONGEST_PAUSE_MS, random));
}

/** Whether the log is still the one that the checkpoint was made from; certain of what it says (log-fit.ts). */
export async function readLaneFit(context: LaneContext, checkpoint: Checkpoint | null): Promise<Fit> {
  const { lane, retry, watch, parts } = context;
  const what = 'comparing the log with the checkpoint';
  const fit = await readCertainFit(
    () => retry(what, () => readFit(lane, checkpoint, { ...parts, signal: context.signal })),
    (halt) => watch.failed(what, `being looked at again: ${reasonOfHalt(lane, halt)}`),
    { clock: parts.clock, signal: context.signal },
    parts.readingPauseMs,
  );
  watch.succeeded(what);
  return fit;
}

export function sayHalted({ lane, name, watch, parts }: LaneContext, halt: Halt): void {
  const explanation = explainHalt(lane, halt);
  watch.halted(reasonOfHalt(lane, halt));
  parts.logger.error({ lane: name, halt, explanation }, 'lane halted');
}

/** Halts a lane that was running. Resolves once the halt stands in the checkpoint. */
export async function haltLane(context: LaneContext, held: GuardedCheckpoint, halt: Halt): Promise<void> {
  const { clock, logger } = context.parts;
  sayHalted(context, halt);
  const next: NextState = (it) => annotateLane(it, { halted: halt });
  for (let failures = 1; ; failures += 1) {
    try {
      await writeCheckpoint(context, held, next);
      return;
    } catch (thrown) {
      if (thrown instanceof StoppedError || thrown instanceof LaneReplaced) throw thrown;
      logger.error({ lane: context.name, err: thrown }, 'the halt could not be recorded');
      await clock.sleep(pauseAfter(failures, context.parts), context.signal);
      if (context.signal.aborted) throw new StoppedError('stopped before the halt was recorded');
    }
  }
}

/** Resolves once a halted lane may be claimed again: somebody has brought the right log back, or has accepted this one. */
export async function waitForLog(context: LaneContext): Promise<void> {
  const { parts, signal } = context;
  do {
    await parts.clock.sleep(HALTED_LOOK_MS, signal);
    if (signal.aborted) throw new StoppedError('stopped while the lane was halted');
  } while (!(await isLogBack(context)));
  if (!(await isStillOurs(context))) throw new StoppedError('the partition was taken away');
  parts.logger.info({ lane: context.name }, 'the log of a halted lane is right again');
}

/** Looks once. What fails says nothing, and is looked at again. */
async function isLogBack({ lane, name, parts, signal }: LaneContext): Promise<boolean> {
  try {
    const stored = await parts.documents.get<Checkpoint>(CHECKPOINTS.name, [name]);
    return (await readFit(lane, stored.get(name)?.body ?? null, { ...parts, signal })).halt === null;
  } catch (thrown) {
    if (thrown instanceof StoppedError) throw thrown;
    parts.logger.debug({ lane: name, reason: messageOf(thrown) }, 'a halted lane could not look');
    return false;
  }
}
