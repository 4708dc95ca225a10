import { randomUUID } from 'node:crypto';

import type { Assignment } from '../../events/log/port.ts';
import { CHECKPOINTS, type LaneId } from './lane.ts';
import type { LaneParts, LaneSurroundings } from './lane-context.ts';
import { LaneRun } from './lane-run.ts';
import { createLaneStates, type LaneState, type LaneStates } from './lane-states.ts';
import { PARKED } from './parking.ts';
import { collectionOf, collectionSpec, type Projection } from './projection.ts';
import { createRetry, type Retry } from './retry.ts';
import { createSerialQueue } from './serial-queue.ts';

export interface ProjectorParts extends LaneParts {
  readonly projections: readonly Projection[];
  /** Topic names as the log has them, from a projection's own: a prefix may stand before them. */
  readonly topicName: (topic: string) => string;
  /** The name of a read model's group in the log. Default: as topics are named. */
  readonly groupName?: (readModel: string) => string;
  /** Names of lanes (`listings@1/catalog.entries/0`) that may start at the log's earliest record despite a gap. */
  readonly acceptGaps?: readonly string[];
}

/** Folds the log into documents, lane by lane (lane-run.ts), until it is disposed. */
export class Projector implements AsyncDisposable {
  readonly #parts: ProjectorParts;
  /** Names this worker in the checkpoints of the lanes it holds. */
  readonly owner: string = randomUUID();
  readonly #stopping = new AbortController();
  readonly #retry: Retry;
  readonly #surroundings: LaneSurroundings;
  readonly #subscriptions: AsyncDisposable[] = [];
  readonly #running = new Map<Assignment, Promise<void>>();
  readonly #states: LaneStates;

  constructor(parts: ProjectorParts) {
    const { clock, logger, metrics, random = Math.random } = parts;
    this.#parts = parts;
    this.#retry = createRetry({ clock, logger, signal: this.#stopping.signal, random });
    this.#surroundings = {
      owner: this.owner,
      queue: createSerialQueue(),
      acceptable: new Set(parts.acceptGaps),
      stopping: this.#stopping.signal,
    };
    this.#states = createLaneStates(clock, (lane, isHalted) => {
      if (isHalted === null) metrics.halted.remove({ lane });
      else metrics.halted.set({ lane }, isHalted ? 1 : 0);
    });
  }

  /** Why lanes of this worker have halted, by name: one line each, for people. */
  get halts(): ReadonlyMap<string, string> {
    return this.#states.halts;
  }

  /** What this worker knows of each lane that is assigned to it now, claimed or not. */
  lanes(): readonly LaneState[] {
    return this.#states.list();
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
    const { documents, log, topicName, groupName = topicName } = this.#parts;
    const name = collectionOf(projection);
    await this.#retry('declaring collections', () => documents.declare(collectionSpec(projection)));
    const subscription = await this.#retry('joining the group', () =>
      log.subscribe(groupName(name), projection.topics.map(topicName), {
        assigned: (assignment) => this.#begin(projection, assignment),
        revoked: (assignment) => this.#states.end(assignment),
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
    const lane = laneOf(projection, assignment);
    const watch = this.#states.begin(assignment, lane);
    const run = new LaneRun(this.#parts, projection, lane, assignment, this.#surroundings, watch).run();
    this.#running.set(
      assignment,
      run.finally(() => this.#running.delete(assignment)),
    );
  }
}

function laneOf(projection: Projection, { topic, partition }: Assignment): LaneId {
  return { readModel: collectionOf(projection), topic, partition };
}
