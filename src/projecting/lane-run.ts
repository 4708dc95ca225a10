import type { Decode } from '../events/decode.ts';
import type { Assignment, Batch, Log, PartitionEnds } from '../events/log/port.ts';
import type { Clock } from '../platform/clock.ts';
import { messageOf } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';
import type { Documents } from '../stores/documents/port.ts';
import { foldBatch } from './batch.ts';
import {
  advanceLane,
  claimLane,
  consumed,
  explainHalt,
  haltOf,
  halting,
  laneName,
  laneTurn,
  type Halt,
  type HeldLane,
  type LaneId,
} from './lane.ts';
import type { LaneWatch } from './lane-states.ts';
import { describeParked, park, type Unfoldable } from './parking.ts';
import type { ProjectorMetrics } from './projector-metrics.ts';
import type { Projection } from './projection.ts';
import { conflictPause, createRetry, Stopped, type Retry } from './retry.ts';
import type { Turns } from './turns.ts';

/*
 * One lane in this worker, from its assignment until it is taken away:
 *
 *   assigned --claim--> running --taken away--> released
 *                          |----stop--> released, after the batch in hand is checkpointed
 *                          |----a higher epoch stands in the checkpoint--> replaced --still ours a while later--> assigned
 *   assigned, running -----'--gap, younger log, permanent failure--> halted, until it is assigned again
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
  /** From 0 to 1, for the pauses; a simulation passes its own. */
  readonly random?: () => number;
}

/** What a lane shares with the other lanes of its worker. */
export interface LaneSurroundings {
  /** Names the worker in the checkpoints of the lanes it holds. */
  readonly owner: string;
  readonly turns: Turns;
  /** Names of lanes that may go on despite a halt; one that has made use of it is taken out. */
  readonly acceptable: Set<string>;
  /** Aborted when the worker stops. */
  readonly stopping: AbortSignal;
}

/** How long a lane waits for its next record before it asks again. */
const FETCH_WAIT_MS = 1000;
/**
 * How long a replaced worker waits for the log to take the partition away from it. Where that does not happen, the
 * other one was the stale one (it slept through its own loss), and nobody would be left to read.
 */
const REPLACED_WAIT_MS = 30_000;
/** How often a lane that has nothing to read looks whether its log is still the same. */
const IDLE_LOOK_MS = 5000;
/** The pause before a batch that started elsewhere is fetched again. */
const MISSED_MS = 20;
/** Large enough that the many events of one entry in a backlog become one write. */
const BATCH_RECORDS = 2000;

export class LaneRun {
  readonly #parts: LaneParts;
  readonly #projection: Projection;
  readonly #lane: LaneId;
  readonly #name: string;
  readonly #assignment: Assignment;
  readonly #surroundings: LaneSurroundings;
  readonly #watch: LaneWatch;
  readonly #retry: Retry;
  /** When the idle lane is to be compared with its log again. */
  #nextLook = 0;

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
    const { clock, logger, random = Math.random } = parts;
    this.#retry = createRetry({
      clock,
      logger,
      signal: surroundings.stopping,
      random,
      onFailure: (what, reason) => watch.failed(what, reason),
      onSuccess: (what) => watch.succeeded(what),
    });
  }

  /** Resolves when the lane is no longer this worker's, or has halted. Never throws. */
  async run(): Promise<void> {
    let held: HeldLane | null = null;
    try {
      held = await this.#claim();
      while (held && !this.#isOver()) {
        const batch: Batch = await this.#fetch(held);
        if (batch.from !== held.checkpoint.position || batch.next === batch.from) {
          held = await this.#checkEnds(held, batch);
        } else {
          const current: HeldLane = held;
          held = await this.#surroundings.turns.take(laneTurn(this.#lane), () =>
            this.#consume(current, batch),
          );
          if (held) this.#assignment.report(held.checkpoint.position);
          else held = await this.#replaced();
        }
      }
    } catch (thrown) {
      if (thrown instanceof Stopped) return;
      await this.#halt(held, { reason: 'failed', message: messageOf(thrown) }, thrown);
    }
  }

  #isOver(): boolean {
    return this.#surroundings.stopping.aborted || this.#assignment.signal.aborted;
  }

  async #claim(): Promise<HeldLane | null> {
    const { documents, logger } = this.#parts;
    const { owner, acceptable } = this.#surroundings;
    this.#watch.claiming(null);
    const claim = await this.#retry('claiming a lane', () =>
      claimLane(documents, this.#lane, {
        owner,
        ends: () => this.#ends(),
        acceptGap: acceptable.has(this.#name),
      }),
    );
    if (claim.outcome === 'halted') {
      await this.#halt(null, claim.halt);
      return null;
    }
    const { position, epoch } = claim.held.checkpoint;
    if (claim.accepted) {
      // An acceptance is for the gap that the operator has seen, not for the next one.
      acceptable.delete(this.#name);
      logger.warn({ lane: this.#name, halt: claim.accepted, position }, 'a gap was accepted');
    }
    logger.debug({ lane: this.#name, position, epoch }, 'lane claimed');
    this.#watch.running();
    return claim.held;
  }

  async #ends(): Promise<PartitionEnds> {
    const { topic, partition } = this.#lane;
    const ends = await this.#retry('reading the ends of the log', () => this.#parts.log.ends(topic));
    return ends.find((end) => end.partition === partition) ?? { partition, earliest: 0, latest: 0 };
  }

  /**
   * A batch that did not start at the checkpoint is fetched again, and nothing may be there to fetch: in both cases the
   * log may no longer fit the checkpoint. Looked at after a pause, so that neither becomes a busy loop.
   */
  async #checkEnds(held: HeldLane, batch: Batch): Promise<HeldLane | null> {
    const { clock } = this.#parts;
    const isIdle = batch.from === held.checkpoint.position;
    if (isIdle && clock.now() < this.#nextLook) return held;
    this.#nextLook = clock.now() + IDLE_LOOK_MS;
    const halt = haltOf(held.checkpoint, await this.#ends());
    if (halt) {
      await this.#halt(held, halt);
      return null;
    }
    if (!isIdle) await clock.sleep(MISSED_MS, this.#surroundings.stopping);
    return held;
  }

  async #replaced(): Promise<HeldLane | null> {
    const { clock, logger } = this.#parts;
    logger.info({ lane: this.#name }, 'lane lost: another worker has claimed it');
    this.#watch.claiming('another worker has claimed it');
    const { stopping } = this.#surroundings;
    await clock.sleep(REPLACED_WAIT_MS, AbortSignal.any([this.#assignment.signal, stopping]));
    return this.#isOver() ? null : this.#claim();
  }

  #fetch(held: HeldLane): Promise<Batch> {
    const { batchRecords = BATCH_RECORDS } = this.#parts;
    const signal = this.#surroundings.stopping;
    const limits = { maxRecords: batchRecords, maxWaitMs: FETCH_WAIT_MS, signal };
    return this.#retry('reading the log', () => this.#assignment.fetch(held.checkpoint.position, limits));
  }

  /** Folds one batch and checkpoints it: last, once everything it did is durable. */
  async #consume(held: HeldLane, batch: Batch): Promise<HeldLane | null> {
    const { documents, metrics, logger } = this.#parts;
    const { counts, unfoldables, conflicts } = await foldBatch(this.#projection, batch.records, {
      ...this.#parts,
      retry: this.#retry,
      pause: (attempt) => this.#pause(attempt),
    });
    await this.#park(held, unfoldables);
    const next = consumed(held, batch.next, counts);
    const advanced = await this.#retry('writing the checkpoint', () => advanceLane(documents, held, next));
    if (!advanced) return null;
    metrics.consumed(this.#lane, counts, conflicts);
    if (conflicts > 0) logger.warn({ lane: this.#name, conflicts }, 'one revision with two contents');
    return advanced;
  }

  async #pause(attempt: number): Promise<void> {
    const { stopping } = this.#surroundings;
    if (stopping.aborted) throw new Stopped('stopped between two attempts');
    const { clock, random = Math.random } = this.#parts;
    await clock.sleep(conflictPause(attempt, random), stopping);
  }

  async #park({ checkpoint }: HeldLane, unfoldables: readonly Unfoldable[]): Promise<void> {
    if (unfoldables.length === 0) return;
    const { clock, rejectedTopic, logger } = this.#parts;
    const lane = { ...this.#lane, incarnation: checkpoint.incarnation };
    await this.#retry('parking events', () =>
      park(this.#parts, rejectedTopic, lane, unfoldables, clock.now()),
    );
    for (const unfoldable of unfoldables) logger.warn(describeParked(lane, unfoldable), 'event parked');
  }

  async #halt(held: HeldLane | null, halt: Halt, cause?: unknown): Promise<void> {
    const { documents, logger } = this.#parts;
    const explanation = explainHalt(this.#lane, halt);
    this.#watch.halted(explanation);
    logger.error({ lane: this.#name, halt, explanation, err: cause }, 'lane halted');
    if (!held) return;
    try {
      await this.#retry('recording a halt', () => advanceLane(documents, held, halting(held, halt)));
    } catch (thrown) {
      logger.error({ lane: this.#name, err: thrown }, 'the halt could not be recorded');
    }
  }
}
