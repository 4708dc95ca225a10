import type { Assignment, Batch } from '../../events/log/port.ts';
import { annotateLane, LaneReplaced, type GuardedCheckpoint } from './guarded-checkpoint.ts';
import { laneName, serialKey, type LaneId } from './lane.ts';
import { createLaneClaims } from './lane-claim-and-loss.ts';
import {
  writeCheckpoint,
  WRITING_CHECKPOINT,
  type LaneContext,
  type LaneParts,
  type LaneSurroundings,
} from './lane-context.ts';
import type { LaneWatch } from './lane-states.ts';
import { haltLane, proveStore, readLaneFit, sayPaused, waitForLog } from './lane-failures-and-halts.ts';
import { takePass } from './lane-pass.ts';
import type { Projection } from './projection.ts';
import { createRetry, StoppedError } from './retry.ts';
import type { Refusals } from './write-documents.ts';

/*
 * One lane in this worker, from its assignment until it is taken away:
 *
 *   assigned --claim--> running --taken away--> released
 *   running --stop--> released, after the batch in hand is checkpointed
 *   running --another worker's claim stands in the checkpoint--> lost --the group says that it is ours--> assigned
 *   running --anything fails that is not retried at once--> paused --after up to a minute--> assigned or running
 *   assigned, running --the log is not the one that was read, for certain--> halted --it is again--> assigned
 *
 * What moves it stands here; what happens in a state is in lane-claim-and-loss.ts, lane-pass.ts and lane-failures-and-halts.ts.
 */

/** How long a lane waits for its next record before it looks whether its log is still the same. Pauses end the wait. */
const FETCH_WAIT_MS = 6000;
/** How long one that gathers several batches waits for the next of them: what it has gathered is not written meanwhile. */
const MORE_WAIT_MS = 1000;
/** Waits may end a little early, or for a pause that is over: so often a lane that has nothing to read looks at most. */
const IDLE_LOOK_MS = 5000;
/** A log cannot be replaced, and filled beyond the checkpoint, in less time than this between two fetches. */
const TRUSTED_MS = 2000;
/** How often a lane that keeps a pause of its build looks whether it is over. */
const QUIET_MS = 100;
/** The pause before a batch that started elsewhere is fetched again. */
const MISSED_MS = 20;
/** Large enough that the many events of one entry in a backlog become one write. */
const BATCH_RECORDS = 2000;

/** Given, because the reason that a controller makes by itself takes the stack. */
const CALLED_OFF = 'called off';

/** Resolves when the lane is no longer this worker's. Never throws. */
export async function runLane(
  parts: LaneParts,
  projection: Projection,
  lane: LaneId,
  assignment: Assignment,
  surroundings: LaneSurroundings,
  watch: LaneWatch,
): Promise<void> {
  const { clock, logger, batchRecords = BATCH_RECORDS } = parts;
  const { gate, queue } = surroundings;
  const signal = AbortSignal.any([surroundings.stopping, assignment.signal]);
  const retry = createRetry({
    clock,
    logger,
    signal,
    ...(parts.random ? { random: parts.random } : {}),
    onFailure: (what, reason) => watch.failed(what, reason),
    onSuccess: (what) => watch.succeeded(what),
  });
  const context: LaneContext = {
    parts,
    surroundings,
    lane,
    name: laneName(lane),
    assignment,
    watch,
    signal,
    retry,
  };
  const claims = createLaneClaims(context);
  let held: GuardedCheckpoint | null = null;
  let isLost = false;
  /** When the idle lane is to be compared with its log again, by the monotonic clock; so is what follows. */
  let nextLook = 0;
  /** When the last consumed record was known to be in the log. */
  let knownAt = Number.NEGATIVE_INFINITY;
  /** Ends the wait for records: the lane is to be quiet, or is no longer this worker's. */
  let waiting = new AbortController();
  const refusals: Refusals = {
    hasTaken: true,
    prove: (reason) => proveStore(context, held, reason),
  };

  const endWait = (): void => waiting.abort(CALLED_OFF);
  signal.addEventListener('abort', endWait);
  gate.onPause(lane.readModel, endWait, signal);
  for (let failures = 0; !signal.aborted;) {
    try {
      if (isLost) {
        if (held) claims.lost();
        held = null;
        await claims.regain();
        isLost = false;
      }
      held ??= await claims.claim();
      const isGoing = held !== null && (await step(held));
      if (!isGoing) {
        held = null;
        await waitForLog(context);
        continue;
      }
      failures = 0;
      watch.running();
    } catch (thrown) {
      if (thrown instanceof StoppedError) return;
      if (thrown instanceof LaneReplaced) {
        isLost = true;
      } else {
        // Nobody has taken care of it, and nobody knows what would fix it.
        failures += 1;
        const pauseMs = sayPaused(context, thrown, failures);
        await clock.sleep(pauseMs, signal);
      }
    }
  }

  /** Fetches and consumes one batch, or looks at the log where there is none. False where the lane has halted. */
  async function step(own: GuardedCheckpoint): Promise<boolean> {
    await retry(WRITING_CHECKPOINT, own.finish);
    // Before it is asked for a pause: one that becomes known from here on ends the wait.
    if (waiting.signal.aborted && !signal.aborted) waiting = new AbortController();
    const pause = gate.pauseOf(lane.readModel);
    if (pause !== null) {
      await keepQuiet(own, pause);
      return true;
    }
    const { position, last } = own.checkpoint;
    const batch = await retry('reading the log', () => fetch(position, FETCH_WAIT_MS));
    if (batch.from !== position || batch.next === batch.from) return await look(own, batch);
    const fetchedAt = clock.monotonic();
    const isKnown = last === null || fetchedAt - knownAt < TRUSTED_MS;
    if (!isKnown && !(await fits(own))) return false;
    await takePass({
      context,
      projection,
      held: own,
      first: batch,
      fullBatch: batchRecords,
      fetch: (from) => fetch(from, MORE_WAIT_MS),
      refusals,
    });
    if (batch.records.length > 0) knownAt = fetchedAt;
    return true;
  }

  /** Says that nothing more is written while this pause stands, and waits a moment. */
  async function keepQuiet(own: GuardedCheckpoint, pause: string): Promise<void> {
    // In turn with a batch of this lane that is still in hand from before it was taken away and given back.
    if (own.checkpoint.quiet !== pause)
      await queue.run(serialKey(lane), () =>
        writeCheckpoint(context, own, (it) => annotateLane(it, { quiet: pause })),
      );
    await clock.sleep(QUIET_MS, signal);
  }

  function fetch(position: number, maxWaitMs: number): Promise<Batch> {
    return assignment.fetch(position, { maxRecords: batchRecords, maxWaitMs, signal: waiting.signal });
  }

  /**
   * A batch that did not start at the checkpoint is fetched again, and nothing may be there to fetch: in both cases the
   * log may no longer fit the checkpoint. Looked at after a pause, so that neither becomes a busy loop.
   */
  async function look(own: GuardedCheckpoint, batch: Batch): Promise<boolean> {
    const isIdle = batch.from === own.checkpoint.position;
    if (isIdle && clock.monotonic() < nextLook) return true;
    nextLook = clock.monotonic() + IDLE_LOOK_MS;
    if (!(await fits(own))) return false;
    if (!isIdle) await clock.sleep(MISSED_MS, signal);
    return true;
  }

  /** Whether the log is still the one that was read; where it is not, the lane halts. */
  async function fits(own: GuardedCheckpoint): Promise<boolean> {
    const began = clock.monotonic();
    const { halt } = await readLaneFit(context, own.checkpoint);
    if (halt) {
      await haltLane(context, own, halt);
      return false;
    }
    knownAt = began;
    return true;
  }
}
