import { randomUUID } from 'node:crypto';

import type { Decode } from '../events/decode.ts';
import type { Assignment, Batch, Log, PartitionEnds } from '../events/log/port.ts';
import type { Clock } from '../platform/clock.ts';
import { messageOf } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';
import type { Documents } from '../stores/documents/port.ts';
import { foldBatch } from './batch.ts';
import {
  advanceLane,
  CHECKPOINTS,
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
import { describeParked, park, PARKED, type ParkingLane, type Unfoldable } from './parking.ts';
import type { ProjectorMetrics } from './projector-metrics.ts';
import { collectionOf, collectionSpec, type Projection } from './projection.ts';
import { conflictPause, createRetry, Stopped, type Retry } from './retry.ts';
import { createTurns, type Turns } from './turns.ts';

/*
 * The engine's one stateful file, and longer than the others for that: what moves a lane from state to state stands
 * together here, what happens in a state is elsewhere (batch.ts, lane.ts, parking.ts).
 *
 * The states of a lane in this worker:
 *
 *   assigned --claim--> running --taken away--> released
 *                          |----stop--> released, after the batch in hand is checkpointed
 *                          |----a higher epoch stands in the checkpoint--> replaced --still ours a while later--> assigned
 *   assigned, running -----'--gap, younger log, permanent failure--> halted, until it is assigned again
 */

export interface ProjectorParts {
  readonly log: Log;
  readonly documents: Documents;
  readonly projections: readonly Projection[];
  readonly decode: Decode;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: ProjectorMetrics;
  /** The topic that rejected events are announced on. */
  readonly rejectedTopic: string;
  /** Topic names as the log has them, from a projection's own: a prefix may stand before them. */
  readonly topicName: (topic: string) => string;
  /** Names of lanes (`listings@1/catalog.entries/0`) that may start at the log's earliest record despite a gap. */
  readonly acceptGaps?: readonly string[];
  readonly batchRecords?: number;
  /** From 0 to 1, for the pauses; a simulation passes its own. */
  readonly random?: () => number;
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

/** Folds the log into documents, lane by lane, until it is disposed. */
export class Projector implements AsyncDisposable {
  readonly #parts: ProjectorParts;
  /** Names this worker in the checkpoints of the lanes it holds. */
  readonly owner: string = randomUUID();
  readonly #stopping = new AbortController();
  readonly #retry: Retry;
  readonly #turns: Turns = createTurns();
  readonly #subscriptions: AsyncDisposable[] = [];
  readonly #running = new Map<Assignment, Promise<void>>();
  readonly #acceptable: Set<string>;
  readonly #halts = new Map<string, string>();
  /** When each idle lane is to be compared with its log again. */
  readonly #nextLook = new WeakMap<LaneId, number>();

  constructor(parts: ProjectorParts) {
    const { clock, logger, random = Math.random } = parts;
    this.#parts = parts;
    this.#acceptable = new Set(parts.acceptGaps);
    this.#retry = createRetry({ clock, logger, signal: this.#stopping.signal, random });
  }

  /** Why lanes of this worker have halted, by name: one line each, for people. */
  get halts(): ReadonlyMap<string, string> {
    return this.#halts;
  }

  /**
   * Declares the collections and joins one group per projection version. Resolves once it has joined; where it throws,
   * it has left again. Disposing it meanwhile ends it with `Stopped` or in peace.
   */
  async start(): Promise<void> {
    try {
      const { documents, projections } = this.#parts;
      for (const collection of [CHECKPOINTS, PARKED]) {
        await this.#retry('declaring collections', () => documents.declare(collection));
      }
      for (const projection of projections) await this.#join(projection);
    } catch (thrown) {
      await this[Symbol.asyncDispose]();
      throw thrown;
    }
  }

  async #join(projection: Projection): Promise<void> {
    const { documents, log, topicName } = this.#parts;
    const name = collectionOf(projection);
    await this.#retry('declaring collections', () => documents.declare(collectionSpec(projection)));
    const subscription = await this.#retry('joining the group', () =>
      log.subscribe(topicName(name), projection.topics.map(topicName), {
        assigned: (assignment) => this.#begin(projection, assignment),
        revoked: (assignment) => this.#forget(laneOf(projection, assignment)),
      }),
    );
    this.#subscriptions.push(subscription);
    if (this.#stopping.signal.aborted) await this.#leave();
  }

  /** Stops intake, finishes and checkpoints the batches in hand, leaves the groups. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    // A run that began just before the stop is waited for like the others.
    while (this.#running.size > 0) await Promise.all(this.#running.values());
    await this.#leave();
  }

  async #leave(): Promise<void> {
    for (const subscription of this.#subscriptions.splice(0)) await subscription[Symbol.asyncDispose]();
  }

  #begin(projection: Projection, assignment: Assignment): void {
    if (this.#stopping.signal.aborted) return;
    const run = this.#run(projection, laneOf(projection, assignment), assignment);
    this.#running.set(
      assignment,
      run.finally(() => this.#running.delete(assignment)),
    );
  }

  #forget(lane: LaneId): void {
    this.#halts.delete(laneName(lane));
    this.#parts.metrics.halted.remove({ lane: laneName(lane) });
  }

  async #run(projection: Projection, lane: LaneId, assignment: Assignment): Promise<void> {
    let held: HeldLane | null = null;
    try {
      held = await this.#claim(lane);
      while (held && !this.#isOver(assignment)) {
        const batch: Batch = await this.#fetch(assignment, held);
        if (batch.from !== held.checkpoint.position || batch.next === batch.from) {
          held = await this.#checkEnds(lane, held, batch);
        } else {
          const current: HeldLane = held;
          held = await this.#turns.take(laneTurn(lane), () =>
            this.#consume(projection, lane, current, batch),
          );
          if (held) assignment.report(held.checkpoint.position);
          else held = await this.#replaced(lane, assignment);
        }
      }
    } catch (thrown) {
      if (thrown instanceof Stopped) return;
      await this.#halt(lane, held, { reason: 'failed', message: messageOf(thrown) }, thrown);
    }
  }

  #isOver(assignment: Assignment): boolean {
    return this.#stopping.signal.aborted || assignment.signal.aborted;
  }

  async #claim(lane: LaneId): Promise<HeldLane | null> {
    const { documents, logger, metrics } = this.#parts;
    const name = laneName(lane);
    const claim = await this.#retry('claiming a lane', () =>
      claimLane(documents, lane, {
        owner: this.owner,
        ends: () => this.#ends(lane),
        acceptGap: this.#acceptable.has(name),
      }),
    );
    if (claim.outcome === 'halted') {
      await this.#halt(lane, null, claim.halt);
      return null;
    }
    const { position, epoch } = claim.held.checkpoint;
    if (claim.accepted) {
      // An acceptance is for the gap that the operator has seen, not for the next one.
      this.#acceptable.delete(name);
      logger.warn({ lane: name, halt: claim.accepted, position }, 'a gap was accepted');
    }
    logger.debug({ lane: name, position, epoch }, 'lane claimed');
    this.#halts.delete(name);
    metrics.halted.set({ lane: name }, 0);
    return claim.held;
  }

  async #ends({ topic, partition }: LaneId): Promise<PartitionEnds> {
    const ends = await this.#retry('reading the ends of the log', () => this.#parts.log.ends(topic));
    return ends.find((end) => end.partition === partition) ?? { partition, earliest: 0, latest: 0 };
  }

  /**
   * A batch that did not start at the checkpoint is fetched again, and nothing may be there to fetch: in both cases the
   * log may no longer fit the checkpoint. Looked at after a pause, so that neither becomes a busy loop.
   */
  async #checkEnds(lane: LaneId, held: HeldLane, batch: Batch): Promise<HeldLane | null> {
    const { clock } = this.#parts;
    const isIdle = batch.from === held.checkpoint.position;
    if (isIdle && clock.now() < (this.#nextLook.get(lane) ?? 0)) return held;
    this.#nextLook.set(lane, clock.now() + IDLE_LOOK_MS);
    const halt = haltOf(held.checkpoint, await this.#ends(lane));
    if (halt) {
      await this.#halt(lane, held, halt);
      return null;
    }
    if (!isIdle) await clock.sleep(MISSED_MS, this.#stopping.signal);
    return held;
  }

  async #replaced(lane: LaneId, assignment: Assignment): Promise<HeldLane | null> {
    const { clock, logger } = this.#parts;
    logger.info({ lane: laneName(lane) }, 'lane lost: another worker has claimed it');
    await clock.sleep(REPLACED_WAIT_MS, AbortSignal.any([assignment.signal, this.#stopping.signal]));
    return this.#isOver(assignment) ? null : this.#claim(lane);
  }

  #fetch(assignment: Assignment, held: HeldLane): Promise<Batch> {
    const { batchRecords = BATCH_RECORDS } = this.#parts;
    const limits = { maxRecords: batchRecords, maxWaitMs: FETCH_WAIT_MS, signal: this.#stopping.signal };
    return this.#retry('reading the log', () => assignment.fetch(held.checkpoint.position, limits));
  }

  /** Folds one batch and checkpoints it: last, once everything it did is durable. */
  async #consume(
    projection: Projection,
    lane: LaneId,
    held: HeldLane,
    batch: Batch,
  ): Promise<HeldLane | null> {
    const { documents, metrics, logger } = this.#parts;
    const { incarnation } = held.checkpoint;
    const { counts, unfoldables, conflicts } = await foldBatch(projection, batch, {
      ...this.#parts,
      retry: this.#retry,
      pause: (attempt) => this.#pause(attempt),
    });
    await this.#park({ ...lane, incarnation }, unfoldables);
    const next = consumed(held, batch.next, counts);
    const advanced = await this.#retry('writing the checkpoint', () => advanceLane(documents, held, next));
    if (!advanced) return null;
    metrics.consumed(lane, counts, conflicts);
    if (conflicts > 0) logger.warn({ lane: laneName(lane), conflicts }, 'one revision with two contents');
    return advanced;
  }

  async #pause(attempt: number): Promise<void> {
    if (this.#stopping.signal.aborted) throw new Stopped('stopped between two attempts');
    const { clock, random = Math.random } = this.#parts;
    await clock.sleep(conflictPause(attempt, random), this.#stopping.signal);
  }

  async #park(lane: ParkingLane, unfoldables: readonly Unfoldable[]): Promise<void> {
    if (unfoldables.length === 0) return;
    const { clock, rejectedTopic, logger } = this.#parts;
    await this.#retry('parking events', () =>
      park(this.#parts, rejectedTopic, lane, unfoldables, clock.now()),
    );
    for (const unfoldable of unfoldables) logger.warn(describeParked(lane, unfoldable), 'event parked');
  }

  async #halt(lane: LaneId, held: HeldLane | null, halt: Halt, cause?: unknown): Promise<void> {
    const { documents, logger, metrics } = this.#parts;
    const explanation = explainHalt(lane, halt);
    this.#halts.set(laneName(lane), explanation);
    metrics.halted.set({ lane: laneName(lane) }, 1);
    logger.error({ lane: laneName(lane), halt, explanation, err: cause }, 'lane halted');
    if (!held) return;
    try {
      await this.#retry('recording a halt', () => advanceLane(documents, held, halting(held, halt)));
    } catch (thrown) {
      logger.error({ lane: laneName(lane), err: thrown }, 'the halt could not be recorded');
    }
  }
}

function laneOf(projection: Projection, { topic, partition }: Assignment): LaneId {
  return { readModel: collectionOf(projection), topic, partition };
}
