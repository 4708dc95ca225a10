import type { Decode } from '../../events/decode.ts';
import type { Assignment, Batch, Log } from '../../events/log/port.ts';
import type { Clock } from '../../platform/clock.ts';
import { messageOf } from '../../platform/errors.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Documents } from '../../stores/documents/port.ts';
import { foldBatch } from './batch.ts';
import { HeldCheckpoint, Replaced } from './held-checkpoint.ts';
import {
  CHECKPOINTS,
  claimLane,
  consumed,
  explainHalt,
  laneName,
  serialKey,
  noted,
  type Checkpoint,
  type Halt,
  type HeldLane,
  type LaneId,
} from './lane.ts';
import type { LaneWatch } from './lane-states.ts';
import { lastRecord } from './last-record.ts';
import { readCertainFit, readFit, type Fit, type FitParts } from './log-fit.ts';
import { describeParked, park, type Unfoldable } from './parking.ts';
import type { ProjectorMetrics } from './projector-metrics.ts';
import type { Projection } from './projection.ts';
import { conflictPause, createRetry, Stopped, type Retry } from './retry.ts';
import type { SerialQueue } from './serial-queue.ts';
import type { Refusals } from './write-documents.ts';

/*
 * Longer than other files: what moves a lane from state to state stands together here; what happens in a state is
 * elsewhere (batch.ts, lane.ts, held-checkpoint.ts, log-fit.ts, parking.ts).
 *
 * One lane in this worker, from its assignment until it is taken away:
 *
 *   assigned --claim--> running --taken away--> released
 *   running --stop--> released, after the batch in hand is checkpointed
 *   running --another worker's claim stands in the checkpoint--> lost --the group says that it is ours--> assigned
 *   running --anything fails that is not retried at once--> paused --after up to a minute--> assigned or running
 *   assigned, running --the log is not the one that was read, for certain--> halted --it is again--> assigned
 */

export interface LaneParts {
  readonly log: Log;
  readonly documents: Documents;
  readonly decode: Decode;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: ProjectorMetrics;
  /** The topic that rejected events are announced on. */
  readonly rejectedTopic: string;
  readonly batchRecords?: number;
  /** The pause before a log that would halt a lane is looked at again, in milliseconds (log-fit.ts). */
  readonly readingPauseMs?: number;
  /** From 0 to 1, for the pauses; a simulation passes its own. */
  readonly random?: () => number;
}

/** What a lane shares with the other lanes of its worker. */
export interface LaneSurroundings {
  /** Names the worker in the checkpoints of the lanes it holds. */
  readonly owner: string;
  readonly queue: SerialQueue;
  /** Names of lanes that may go on despite a halt; one that has made use of it is taken out. */
  readonly acceptable: Set<string>;
  /** Aborted when the worker stops. */
  readonly stopping: AbortSignal;
}

/** How long a lane waits for its next record before it asks again. */
const FETCH_WAIT_MS = 1000;
/** How often a lane that has nothing to read looks whether its log is still the same. */
const IDLE_LOOK_MS = 5000;
/** A log cannot be replaced, and filled beyond the checkpoint, in less time than this between two fetches. */
const TRUSTED_MS = 2000;
/** The pause before a batch that started elsewhere is fetched again. */
const MISSED_MS = 20;
/** Large enough that the many events of one entry in a backlog become one write. */
const BATCH_RECORDS = 2000;
/** The pauses after failures that no retry takes care of, in milliseconds: doubled each time. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
/** Work that has been tried so often is in trouble for some seconds: the checkpoint then says so. */
const NOTED_ATTEMPTS = 5;
/** Two workers that claim a lane from each other do so at growing intervals, up to this, in milliseconds. */
const LONGEST_TRUCE_MS = 30_000;
/** A lane that has not been lost for so long starts afresh with those. */
const CALM_MS = 60_000;
/** How often a halted lane looks whether its log is the one again that was read. */
const HALTED_LOOK_MS = 30_000;

/** What a failure is called that no retry has taken care of. */
const WORK = 'work on the lane';
const WRITING_CHECKPOINT = 'writing the checkpoint';

export class LaneRun {
  readonly #parts: LaneParts;
  readonly #projection: Projection;
  readonly #lane: LaneId;
  readonly #name: string;
  readonly #assignment: Assignment;
  readonly #surroundings: LaneSurroundings;
  readonly #watch: LaneWatch;
  readonly #signal: AbortSignal;
  readonly #retry: Retry;
  readonly #refusals: Refusals = { hasTaken: true, prove: (reason) => this.#prove(reason) };
  #held: HeldCheckpoint | null = null;
  #isLost = false;
  #losses = 0;
  #lostAt = Number.NEGATIVE_INFINITY;
  /** When the idle lane is to be compared with its log again, by the monotonic clock; so is what follows. */
  #nextLook = 0;
  /** When the last consumed record was known to be in the log. */
  #knownAt = Number.NEGATIVE_INFINITY;

  constructor(
    parts: LaneParts,
    projection: Projection,
    lane: LaneId,
    assignment: Assignment,
    surroundings: LaneSurroundings,
    watch: LaneWatch,
  ) {
    this.#parts = parts;
    this.#projection = projection;
    this.#lane = lane;
    this.#name = laneName(lane);
    this.#assignment = assignment;
    this.#surroundings = surroundings;
    this.#watch = watch;
    // Work in hand is finished when the partition is taken away or the worker stops; nothing is tried again.
    this.#signal = AbortSignal.any([surroundings.stopping, assignment.signal]);
    const { clock, logger, random = Math.random } = parts;
    this.#retry = createRetry({
      clock,
      logger,
      signal: this.#signal,
      random,
      onFailure: async (what, reason, attempt) => {
        watch.failed(what, reason);
        if (attempt >= NOTED_ATTEMPTS && what !== WRITING_CHECKPOINT) await this.#note(reason);
      },
      onSuccess: (what) => watch.succeeded(what),
    });
  }

  /** Resolves when the lane is no longer this worker's. Never throws. */
  async run(): Promise<void> {
    for (let failures = 0; !this.#signal.aborted;) {
      try {
        if (this.#isLost) await this.#regain();
        this.#held ??= await this.#claim();
        const isGoing = this.#held !== null && (await this.#step(this.#held));
        if (!isGoing) {
          await this.#waitForLog();
          continue;
        }
        failures = 0;
        this.#watch.running();
      } catch (thrown) {
        if (thrown instanceof Stopped) return;
        if (thrown instanceof Replaced) {
          this.#isLost = true;
        } else {
          failures += 1;
          await this.#rest(thrown, failures);
        }
      }
    }
  }

  /** null where the lane has halted. */
  async #claim(): Promise<HeldCheckpoint | null> {
    const { documents, logger } = this.#parts;
    const { owner, acceptable } = this.#surroundings;
    this.#watch.claiming(null);
    const claim = await this.#retry('claiming a lane', () =>
      claimLane(documents, this.#lane, {
        owner,
        fit: (checkpoint) => this.#readFit(checkpoint),
        acceptGap: acceptable.has(this.#name),
        signal: this.#signal,
      }),
    );
    if (claim.outcome === 'halted') {
      this.#sayHalted(claim.halt);
      return null;
    }
    const { position, epoch } = claim.held.checkpoint;
    // An acceptance is for the gap that the operator has seen, if there still is one, and not for the next one.
    acceptable.delete(this.#name);
    if (claim.accepted)
      logger.warn({ lane: this.#name, halt: claim.accepted, position }, 'a gap was accepted');
    logger.debug({ lane: this.#name, position, epoch }, 'lane claimed');
    this.#watch.running();
    return new HeldCheckpoint(documents, claim.held);
  }

  /** Fetches and consumes one batch, or looks at the log where there is none. False where the lane has halted. */
  async #step(held: HeldCheckpoint): Promise<boolean> {
    const { clock } = this.#parts;
    await this.#retry(WRITING_CHECKPOINT, () => held.settle());
    const { position, last } = held.checkpoint;
    const batch = await this.#fetch(position);
    if (batch.from !== position || batch.next === batch.from) {
      if (!(await this.#look(held, batch))) return false;
    } else {
      const fetchedAt = clock.monotonic();
      const isKnown = last === null || fetchedAt - this.#knownAt < TRUSTED_MS;
      if (!isKnown && !(await this.#fits(held))) return false;
      await this.#surroundings.queue.run(serialKey(this.#lane), () => this.#consume(held, batch));
      if (batch.records.length > 0) this.#knownAt = fetchedAt;
      this.#assignment.report(batch.next);
    }
    if (held.checkpoint.paused) {
      const going = (it: HeldLane): HeldLane => noted(it, { paused: null });
      await this.#retry(WRITING_CHECKPOINT, () => held.write(going));
    }
    return true;
  }

  #fetch(position: number): Promise<Batch> {
    const { batchRecords = BATCH_RECORDS } = this.#parts;
    const signal = this.#surroundings.stopping;
    const limits = { maxRecords: batchRecords, maxWaitMs: FETCH_WAIT_MS, signal };
    return this.#retry('reading the log', () => this.#assignment.fetch(position, limits));
  }

  /**
   * A batch that did not start at the checkpoint is fetched again, and nothing may be there to fetch: in both cases the
   * log may no longer fit the checkpoint. Looked at after a pause, so that neither becomes a busy loop.
   */
  async #look(held: HeldCheckpoint, batch: Batch): Promise<boolean> {
    const { clock } = this.#parts;
    const isIdle = batch.from === held.checkpoint.position;
    if (isIdle && clock.monotonic() < this.#nextLook) return true;
    this.#nextLook = clock.monotonic() + IDLE_LOOK_MS;
    if (!(await this.#fits(held))) return false;
    if (!isIdle) await clock.sleep(MISSED_MS, this.#signal);
    return true;
  }

  /** Whether the log is still the one that was read; where it is not, the lane halts. */
  async #fits(held: HeldCheckpoint): Promise<boolean> {
    const began = this.#parts.clock.monotonic();
    const { halt, compared } = await this.#readFit(held.checkpoint);
    if (halt) {
      await this.#halt(held, halt);
      return false;
    }
    this.#knownAt = began;
    if (compared !== held.checkpoint.compared) {
      const next = (it: HeldLane): HeldLane => noted(it, { compared });
      await this.#retry(WRITING_CHECKPOINT, () => held.write(next));
    }
    return true;
  }

  get #fitParts(): FitParts {
    return { log: this.#parts.log, clock: this.#parts.clock, signal: this.#signal };
  }

  async #readFit(checkpoint: Checkpoint | null): Promise<Fit> {
    const what = 'comparing the log with the checkpoint';
    const parts = this.#fitParts;
    const fit = await readCertainFit(
      () => this.#retry(what, () => readFit(this.#lane, checkpoint, parts)),
      (halt) => this.#watch.failed(what, `being looked at again: ${explainHalt(this.#lane, halt)}`),
      parts,
      this.#parts.readingPauseMs,
    );
    this.#watch.succeeded(what);
    return fit;
  }

  /** Folds one batch and checkpoints it: last, once everything it did is durable. */
  async #consume(held: HeldCheckpoint, batch: Batch): Promise<void> {
    const { metrics, logger } = this.#parts;
    const { counts, unfoldables, conflicts } = await foldBatch(this.#projection, batch, {
      ...this.#parts,
      retry: this.#retry,
      pause: (attempt) => this.#pause(attempt),
      refusals: this.#refusals,
    });
    await this.#park(held, unfoldables);
    const record = batch.records.at(-1);
    const last = record ? lastRecord(record) : null;
    const next = (it: HeldLane): HeldLane => consumed(it, batch.next, counts, last);
    await this.#retry(WRITING_CHECKPOINT, () => held.write(next));
    metrics.consumed(this.#lane, counts, conflicts);
    if (conflicts > 0) logger.warn({ lane: this.#name, conflicts }, 'one revision with two contents');
  }

  async #pause(attempt: number): Promise<void> {
    if (this.#signal.aborted) throw new Stopped('stopped between two attempts');
    const { clock, random = Math.random } = this.#parts;
    await clock.sleep(conflictPause(attempt, random), this.#signal);
  }

  async #park(held: HeldCheckpoint, unfoldables: readonly Unfoldable[]): Promise<void> {
    if (unfoldables.length === 0) return;
    const { clock, rejectedTopic, logger } = this.#parts;
    const lane = { ...this.#lane, incarnation: held.checkpoint.incarnation };
    await this.#retry('parking events', async () => {
      // Whoever has replaced this worker may be of a newer release, and have folded what this one cannot.
      await held.requireOwn();
      await park(this.#parts, rejectedTopic, lane, unfoldables, clock.now());
    });
    for (const unfoldable of unfoldables) logger.warn(describeParked(lane, unfoldable), 'event parked');
  }

  /** Writes to the store, so that a document which is refused is told from a store that refuses everything. */
  async #prove(reason: string): Promise<void> {
    const held = this.#held;
    if (!held) return;
    this.#watch.failed(WORK, reason);
    const next = this.#pausing(held, reason);
    await this.#retry(WRITING_CHECKPOINT, () => held.write(next));
  }

  #pausing(held: HeldCheckpoint, reason: string): (it: HeldLane) => HeldLane {
    const since = held.checkpoint.paused?.since ?? this.#parts.clock.now();
    return (it) => noted(it, { paused: { since, reason } });
  }

  /** Says in the checkpoint why the lane does not move: at once, or at the next failure. @throws {Replaced} */
  async #note(reason: string): Promise<void> {
    const held = this.#held;
    if (!held || held.checkpoint.paused?.reason === reason) return;
    try {
      await held.write(this.#pausing(held, reason));
    } catch (thrown) {
      if (thrown instanceof Replaced) throw thrown;
      const notSaid = messageOf(thrown);
      this.#parts.logger.debug({ lane: this.#name, reason, notSaid }, 'a pause could not be recorded');
    }
  }

  /** After a failure that nobody has taken care of: says so, and pauses. It is not known what would mend it. */
  async #rest(thrown: unknown, failures: number): Promise<void> {
    const { clock, logger } = this.#parts;
    const reason = messageOf(thrown);
    const pauseMs = this.#drawn(FIRST_PAUSE_MS, LONGEST_PAUSE_MS, failures);
    this.#watch.failed(WORK, reason);
    logger.warn({ lane: this.#name, reason, failures, pauseMs, err: thrown }, 'lane paused');
    try {
      await this.#note(reason);
    } catch {
      // The only thing that it throws is `Replaced`.
      this.#isLost = true;
      return;
    }
    await clock.sleep(pauseMs, this.#signal);
  }

  /** Another worker has claimed the lane. The group knows whose it is. */
  async #regain(): Promise<void> {
    const { clock, logger } = this.#parts;
    if (this.#held) {
      logger.info({ lane: this.#name }, 'lane lost: another worker has claimed it');
      const now = clock.monotonic();
      if (now - this.#lostAt > CALM_MS) this.#losses = 0;
      this.#lostAt = now;
      this.#losses += 1;
      this.#held = null;
    }
    this.#watch.claiming('another worker has claimed it');
    // The first time at once: it was a late claim of somebody who has lost the partition. Then both believe in theirs.
    if (this.#losses > 1)
      await clock.sleep(this.#drawn(FIRST_PAUSE_MS, LONGEST_TRUCE_MS, this.#losses - 1), this.#signal);
    const isOurs = await this.#retry('asking the group', () => this.#assignment.confirm());
    if (!isOurs) throw new Stopped('the partition was taken away');
    this.#isLost = false;
  }

  #drawn(firstMs: number, longestMs: number, times: number): number {
    const { random = Math.random } = this.#parts;
    return Math.round(Math.min(longestMs, firstMs * 2 ** Math.min(times - 1, 16)) * (0.5 + random() / 2));
  }

  #sayHalted(halt: Halt): void {
    const explanation = explainHalt(this.#lane, halt);
    this.#watch.halted(explanation);
    this.#parts.logger.error({ lane: this.#name, halt, explanation }, 'lane halted');
  }

  /** Resolves once the halt stands in the checkpoint. */
  async #halt(held: HeldCheckpoint, halt: Halt): Promise<void> {
    const { clock, logger } = this.#parts;
    this.#sayHalted(halt);
    const next = (it: HeldLane): HeldLane => noted(it, { halted: halt, paused: null });
    for (let failures = 1; ; failures += 1) {
      try {
        await this.#retry(WRITING_CHECKPOINT, () => held.write(next));
        return;
      } catch (thrown) {
        if (thrown instanceof Stopped || thrown instanceof Replaced) throw thrown;
        logger.error({ lane: this.#name, err: thrown }, 'the halt could not be recorded');
        await clock.sleep(this.#drawn(FIRST_PAUSE_MS, LONGEST_PAUSE_MS, failures), this.#signal);
        if (this.#signal.aborted) throw new Stopped('stopped before the halt was recorded');
      }
    }
  }
  /** Resolves once a halted lane may be claimed again: somebody has brought the right log back, or has accepted this one. */
  async #waitForLog(): Promise<void> {
    const { clock, logger } = this.#parts;
    this.#held = null;
    do {
      await clock.sleep(HALTED_LOOK_MS, this.#signal);
      if (this.#signal.aborted) throw new Stopped('stopped while the lane was halted');
    } while (!(await this.#isLogBack()));
    if (!(await this.#retry('asking the group', () => this.#assignment.confirm())))
      throw new Stopped('the partition was taken away');
    logger.info({ lane: this.#name }, 'the log of a halted lane is right again');
  }

  /** Looks once. What fails says nothing, and is looked at again. */
  async #isLogBack(): Promise<boolean> {
    try {
      const stored = await this.#parts.documents.get<Checkpoint>(CHECKPOINTS.name, [this.#name]);
      const checkpoint = stored.get(this.#name)?.body ?? null;
      return (await readFit(this.#lane, checkpoint, this.#fitParts)).halt === null;
    } catch (thrown) {
      if (thrown instanceof Stopped) throw thrown;
      this.#parts.logger.debug(
        { lane: this.#name, reason: messageOf(thrown) },
        'a halted lane could not look',
      );
      return false;
    }
  }
}
