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
import { haltLane, proveStore, readLaneFit, sayPaused, waitForLog } from './lane-pauses-and-halts.ts';
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
 * What moves it stands here; what happens in a state is in lane-claims.ts, lane-pass.ts and lane-pauses-and-halts.ts.
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

export class LaneRun {
  readonly #context: LaneContext;
  readonly #projection: Projection;
  readonly #claims: ReturnType<typeof createLaneClaims>;
  readonly #refusals: Refusals;
  #held: GuardedCheckpoint | null = null;
  #isLost = false;
  /** When the idle lane is to be compared with its log again, by the monotonic clock; so is what follows. */
  #nextLook = 0;
  /** When the last consumed record was known to be in the log. */
  #knownAt = Number.NEGATIVE_INFINITY;
  /** Ends the wait for records: the lane is to be quiet, or is no longer this worker's. */
  #waiting = new AbortController();

  constructor(
    parts: LaneParts,
    projection: Projection,
    lane: LaneId,
    assignment: Assignment,
    surroundings: LaneSurroundings,
    watch: LaneWatch,
  ) {
    const signal = AbortSignal.any([surroundings.stopping, assignment.signal]);
    const retry = createRetry({
      clock: parts.clock,
      logger: parts.logger,
      signal,
      ...(parts.random ? { random: parts.random } : {}),
      onFailure: (what, reason) => watch.failed(what, reason),
      onSuccess: (what) => watch.succeeded(what),
    });
    const name = laneName(lane);
    this.#context = { parts, surroundings, lane, name, assignment, watch, signal, retry };
    this.#projection = projection;
    this.#claims = createLaneClaims(this.#context);
    this.#refusals = {
      hasTaken: true,
      prove: (reason) => proveStore(this.#context, this.#held, reason),
    };
  }

  /** Resolves when the lane is no longer this worker's. Never throws. */
  async run(): Promise<void> {
    const { signal, watch, lane, surroundings } = this.#context;
    const endWait = (): void => this.#waiting.abort(CALLED_OFF);
    signal.addEventListener('abort', endWait);
    surroundings.gate.onPause(lane.readModel, endWait, signal);
    for (let failures = 0; !signal.aborted;) {
      try {
        if (this.#isLost) {
          if (this.#held) this.#claims.lost();
          this.#held = null;
          await this.#claims.regain();
          this.#isLost = false;
        }
        this.#held ??= await this.#claims.claim();
        const isGoing = this.#held !== null && (await this.#step(this.#held));
        if (!isGoing) {
          this.#held = null;
          await waitForLog(this.#context);
          continue;
        }
        failures = 0;
        watch.running();
      } catch (thrown) {
        if (thrown instanceof StoppedError) return;
        if (thrown instanceof LaneReplaced) {
          this.#isLost = true;
        } else {
          // Nobody has taken care of it, and nobody knows what would fix it.
          failures += 1;
          const pauseMs = sayPaused(this.#context, thrown, failures);
          await this.#context.parts.clock.sleep(pauseMs, signal);
        }
      }
    }
  }

  /** Fetches and consumes one batch, or looks at the log where there is none. False where the lane has halted. */
  async #step(held: GuardedCheckpoint): Promise<boolean> {
    const { parts, surroundings, lane, retry, signal } = this.#context;
    await retry(WRITING_CHECKPOINT, () => held.finish());
    // Before it is asked for a pause: one that becomes known from here on ends the wait.
    if (this.#waiting.signal.aborted && !signal.aborted) this.#waiting = new AbortController();
    const pause = surroundings.gate.pauseOf(lane.readModel);
    if (pause !== null) {
      await this.#keepQuiet(held, pause);
      return true;
    }
    const { position, last } = held.checkpoint;
    const batch = await retry('reading the log', () => this.#fetch(position, FETCH_WAIT_MS));
    if (batch.from !== position || batch.next === batch.from) {
      if (!(await this.#look(held, batch))) return false;
    } else {
      const fetchedAt = parts.clock.monotonic();
      const isKnown = last === null || fetchedAt - this.#knownAt < TRUSTED_MS;
      if (!isKnown && !(await this.#fits(held))) return false;
      await this.#consume(held, batch);
      if (batch.records.length > 0) this.#knownAt = fetchedAt;
    }
    return true;
  }

  #consume(held: GuardedCheckpoint, first: Batch): Promise<void> {
    const [context, projection, refusals] = [this.#context, this.#projection, this.#refusals];
    const { batchRecords: fullBatch = BATCH_RECORDS } = context.parts;
    const fetch = (position: number): Promise<Batch> => this.#fetch(position, MORE_WAIT_MS);
    return takePass({ context, projection, held, first, fullBatch, fetch, refusals });
  }

  /** Says that nothing more is written while this pause stands, and waits a moment. */
  async #keepQuiet(held: GuardedCheckpoint, pause: string): Promise<void> {
    const { surroundings, lane } = this.#context;
    // In turn with a batch of this lane that is still in hand from before it was taken away and given back.
    if (held.checkpoint.quiet !== pause)
      await surroundings.queue.run(serialKey(lane), () =>
        writeCheckpoint(this.#context, held, (it) => annotateLane(it, { quiet: pause })),
      );
    await this.#context.parts.clock.sleep(QUIET_MS, this.#context.signal);
  }

  #fetch(position: number, maxWaitMs: number): Promise<Batch> {
    const { parts, assignment } = this.#context;
    const { batchRecords = BATCH_RECORDS } = parts;
    const limits = { maxRecords: batchRecords, maxWaitMs, signal: this.#waiting.signal };
    return assignment.fetch(position, limits);
  }

  /**
   * A batch that did not start at the checkpoint is fetched again, and nothing may be there to fetch: in both cases the
   * log may no longer fit the checkpoint. Looked at after a pause, so that neither becomes a busy loop.
   */
  async #look(held: GuardedCheckpoint, batch: Batch): Promise<boolean> {
    const { clock } = this.#context.parts;
    const isIdle = batch.from === held.checkpoint.position;
    if (isIdle && clock.monotonic() < this.#nextLook) return true;
    this.#nextLook = clock.monotonic() + IDLE_LOOK_MS;
    if (!(await this.#fits(held))) return false;
    if (!isIdle) await clock.sleep(MISSED_MS, this.#context.signal);
    return true;
  }

  /** Whether the log is still the one that was read; where it is not, the lane halts. */
  async #fits(held: GuardedCheckpoint): Promise<boolean> {
    const began = this.#context.parts.clock.monotonic();
    const { halt } = await readLaneFit(this.#context, held.checkpoint);
    if (halt) {
      await haltLane(this.#context, held, halt);
      return false;
    }
    this.#knownAt = began;
    return true;
  }
}
