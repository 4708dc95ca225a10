import { randomUUID } from 'node:crypto';

import type { Decode, Rejection } from '../events/decode.ts';
import type { CatalogEvent } from '../events/event.ts';
import type { Assignment, Batch, Log, LogRecord, PartitionEnds } from '../events/log/port.ts';
import type { Clock } from '../platform/clock.ts';
import { messageOf } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';
import type { Documents } from '../stores/documents/port.ts';
import { applyEvents, type Applied } from './apply.ts';
import {
  advanceLane,
  CHECKPOINTS,
  claimLane,
  consumed,
  explainHalt,
  haltOf,
  halting,
  laneName,
  type Counts,
  type Halt,
  type HeldLane,
  type LaneId,
} from './lane.ts';
import { park, PARKED, type Unfoldable } from './parking.ts';
import type { ProjectorMetrics } from './projector-metrics.ts';
import { collectionOf, type Projection } from './projection.ts';
import { createRetry, Stopped, type Retry } from './retry.ts';
import { createTurns, type Turns } from './turns.ts';

/*
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
}

/** How long a lane waits for its next record before it asks again. */
const FETCH_WAIT_MS = 1000;
/**
 * How long a replaced worker waits for the log to take the partition away from it. Where that does not happen, the
 * other one was the stale one (it slept through its own loss), and nobody would be left to read.
 */
const REPLACED_WAIT_MS = 30_000;
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

  constructor(parts: ProjectorParts) {
    this.#parts = parts;
    this.#retry = createRetry({ clock: parts.clock, logger: parts.logger, signal: this.#stopping.signal });
  }

  /** Declares the collections and joins one group per projection version. Resolves once it has joined. */
  async start(): Promise<void> {
    const { documents, log, projections, topicName } = this.#parts;
    for (const collection of [CHECKPOINTS, PARKED]) {
      await this.#retry('declaring collections', () => documents.declare(collection));
    }
    for (const projection of projections) {
      const name = collectionOf(projection);
      await this.#retry('declaring collections', () =>
        documents.declare({ name, indexes: projection.indexes }),
      );
      const topics = projection.topics.map(topicName);
      const subscription = await this.#retry('joining the group', () =>
        log.subscribe(name, topics, {
          assigned: (assignment) => this.#begin(projection, assignment),
          revoked: () => undefined,
        }),
      );
      this.#subscriptions.push(subscription);
    }
  }

  /** Stops intake, finishes and checkpoints the batches in hand, leaves the groups. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#running.values());
    for (const subscription of this.#subscriptions.splice(0)) await subscription[Symbol.asyncDispose]();
  }

  #begin(projection: Projection, assignment: Assignment): void {
    const { topic, partition } = assignment;
    const lane: LaneId = { readModel: collectionOf(projection), topic, partition };
    const run = this.#run(projection, lane, assignment).finally(() => this.#running.delete(assignment));
    this.#running.set(assignment, run);
  }

  async #run(projection: Projection, lane: LaneId, assignment: Assignment): Promise<void> {
    let held: HeldLane | null = null;
    try {
      held = await this.#claim(lane, assignment);
      while (held && !this.#isOver(assignment)) {
        const batch: Batch = await this.#fetch(assignment, held);
        if (batch.from !== held.checkpoint.position) {
          held = await this.#checkEnds(lane, held);
        } else if (batch.next > batch.from) {
          const current: HeldLane = held;
          held = await this.#turns.take(partitionTurn(lane), () =>
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

  async #claim(lane: LaneId, { partition }: Assignment): Promise<HeldLane | null> {
    const { documents, acceptGaps = [], logger } = this.#parts;
    const ends = await this.#ends(lane);
    const accept = acceptGaps.includes(laneName(lane));
    const claim = await this.#retry('claiming a lane', () =>
      claimLane(documents, lane, this.owner, ends, accept),
    );
    if (claim.outcome === 'halted') {
      await this.#halt(lane, null, claim.halt);
      return null;
    }
    const { position, epoch } = claim.held.checkpoint;
    logger.debug({ lane: laneName(lane), partition, position, epoch }, 'lane claimed');
    this.#parts.metrics.halted.set({ lane: laneName(lane) }, 0);
    return claim.held;
  }

  async #ends({ topic, partition }: LaneId): Promise<PartitionEnds> {
    const ends = await this.#retry('reading the ends of the log', () => this.#parts.log.ends(topic));
    return ends.find((end) => end.partition === partition) ?? { partition, earliest: 0, latest: 0 };
  }

  /** A batch did not start at the checkpoint: either it is fetched again, or the log no longer fits the checkpoint. */
  async #checkEnds(lane: LaneId, held: HeldLane): Promise<HeldLane | null> {
    const halt = haltOf(held.checkpoint, await this.#ends(lane));
    if (!halt) return held;
    await this.#halt(lane, held, halt);
    return null;
  }

  async #replaced(lane: LaneId, assignment: Assignment): Promise<HeldLane | null> {
    const { clock, logger } = this.#parts;
    logger.info({ lane: laneName(lane) }, 'lane let go: another worker has claimed it');
    await clock.sleep(REPLACED_WAIT_MS, AbortSignal.any([assignment.signal, this.#stopping.signal]));
    return this.#isOver(assignment) ? null : this.#claim(lane, assignment);
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
    const { counts, unfoldables, conflicts } = await this.#foldRecords(projection, batch.records);
    await this.#park(lane, unfoldables);
    const last = batch.records.at(-1);
    const next = consumed(held, batch.next, counts, last?.timestamp ?? null);
    const advanced = await this.#retry('writing the checkpoint', () => advanceLane(documents, held, next));
    if (!advanced) return null;
    metrics.consumed(lane, counts, conflicts);
    if (conflicts > 0) logger.warn({ lane: laneName(lane), conflicts }, 'one revision with two contents');
    return advanced;
  }

  async #foldRecords(projection: Projection, records: readonly LogRecord[]): Promise<FoldedRecords> {
    const { documents, clock, decode, metrics } = this.#parts;
    const counts = { applied: 0, superseded: 0, parked: 0, ignored: 0 };
    const unfoldables: Unfoldable[] = [];
    const decoded: { readonly record: LogRecord; readonly event: CatalogEvent }[] = [];
    for (const record of records) {
      const result = decode(record);
      switch (result.outcome) {
        case 'event':
          decoded.push({ record, event: result.event });
          metrics.unknownFields.inc(result.unknownFields);
          break;
        case 'skipped':
          counts.ignored += 1;
          metrics.skipped.inc({ reason: result.reason });
          break;
        case 'rejected':
          unfoldables.push({ record, rejection: result.rejection });
          break;
      }
    }
    const applied = await applyEvents(
      projection,
      decoded.map(({ event }) => event),
      { documents, retry: this.#retry, pause: (attempt) => this.#pause(clock, attempt) },
    );
    let conflicts = 0;
    for (const [index, { record, event }] of decoded.entries()) {
      const effect = applied[index] as Applied;
      if (effect.kind === 'failed') {
        unfoldables.push({ record, rejection: foldFailure(event, effect.error) });
      } else {
        counts[effect.kind] += 1;
        if ('conflict' in effect && effect.conflict) conflicts += 1;
      }
    }
    counts.parked = unfoldables.length;
    return { counts, unfoldables, conflicts };
  }

  async #pause(clock: Clock, attempt: number): Promise<void> {
    if (this.#stopping.signal.aborted) throw new Stopped('stopped between two attempts');
    await clock.sleep(Math.min(1000, 10 * 2 ** attempt) * (0.5 + Math.random() / 2), this.#stopping.signal);
  }

  async #park(lane: LaneId, unfoldables: readonly Unfoldable[]): Promise<void> {
    if (unfoldables.length === 0) return;
    const { clock, rejectedTopic, logger } = this.#parts;
    await this.#retry('parking events', () =>
      park(this.#parts, rejectedTopic, lane, unfoldables, clock.now()),
    );
    for (const { record, rejection } of unfoldables) {
      const { position } = record;
      logger.warn(
        { lane: laneName(lane), position, code: rejection.code, reason: rejection.reason },
        'parked',
      );
    }
  }

  async #halt(lane: LaneId, held: HeldLane | null, halt: Halt, cause?: unknown): Promise<void> {
    const { documents, logger, metrics } = this.#parts;
    metrics.halted.set({ lane: laneName(lane) }, 1);
    logger.error({ lane: laneName(lane), halt, err: cause }, `lane halted: ${explainHalt(lane, halt)}`);
    if (!held) return;
    try {
      await advanceLane(documents, held, halting(held, halt));
    } catch (thrown) {
      logger.error({ lane: laneName(lane), err: thrown }, 'the halt could not be recorded');
    }
  }
}

interface FoldedRecords {
  readonly counts: Counts;
  readonly unfoldables: readonly Unfoldable[];
  readonly conflicts: number;
}

/**
 * Lanes of one partition number take turns: the same key has the same partition number on every topic, so they share
 * documents, and would only run into each other's guards. Lanes of different numbers share none and run side by side.
 */
function partitionTurn({ readModel, partition }: LaneId): string {
  return `${readModel}/${partition}`;
}

function foldFailure(event: CatalogEvent, error: unknown): Rejection {
  const { id, source, type, subject } = event;
  return {
    code: 'fold_failed',
    reason: `the fold failed: ${messageOf(error)}`.slice(0, 500),
    id,
    source,
    type,
    subject,
  };
}
