import { randomUUID } from 'node:crypto';

import type { Assignment } from '../../events/log/port.ts';
import {
  OPEN_GATE,
  type BuildGate,
  type LaneParts,
  type LaneSurroundings,
  createSerialQueue,
} from './lane-context.ts';
import { CHECKPOINTS } from './lane.ts';
import { runLane } from './lane-run.ts';
import { createLaneStates, type LaneState } from './lane-states.ts';
import { PARKED } from './parking.ts';
import { collectionOf, collectionSpec, type Projection } from './projection.ts';
import { createRetry, type Retry } from './retry.ts';

export interface ProjectorParts extends LaneParts {
  /** What it begins with; others may be joined later. */
  readonly projections: readonly Projection[];
  /** Topic names as the log has them, from a projection's own: a prefix may stand before them. */
  readonly topicName: (topic: string) => string;
  /** The name of a read model's group in the log. Default: as topics are named. */
  readonly groupName?: (readModel: string) => string;
  /** Names of lanes (`listings@1/catalog.entries/0`) that may start at the log's earliest record despite a gap. */
  readonly acceptGaps?: readonly string[];
  /** Default: nobody ever switches builds. */
  readonly gate?: BuildGate;
  /** Names this worker, and no other one ever; a simulation passes its own. Default: a random UUID. */
  readonly owner?: string;
}

/** Folds the log into documents, lane by lane (lane-run.ts), until it is disposed. */
export class Projector implements AsyncDisposable {
  readonly #parts: ProjectorParts;
  /** Names this worker in the checkpoints of the lanes it holds. */
  readonly owner: string;
  readonly #stopping = new AbortController();
  readonly #retry: Retry;
  readonly #surroundings: LaneSurroundings;
  /** By the names of the builds. */
  readonly #joined = new Map<string, Membership>();
  readonly #states: ReturnType<typeof createLaneStates>;

  constructor(parts: ProjectorParts) {
    const { clock, logger, random = Math.random } = parts;
    this.owner = parts.owner ?? randomUUID();
    this.#parts = parts;
    this.#retry = createRetry({ clock, logger, signal: this.#stopping.signal, random });
    this.#surroundings = {
      owner: this.owner,
      queue: createSerialQueue(),
      acceptable: new Set(parts.acceptGaps),
      gate: parts.gate ?? OPEN_GATE,
      stopping: this.#stopping.signal,
    };
    this.#states = createLaneStates(clock);
  }

  /** What this worker knows of each lane that is assigned to it now, claimed or not. */
  lanes(): readonly LaneState[] {
    return this.#states.list();
  }

  /**
   * Declares the collections and joins one group per projection version. Resolves once it has joined; where it throws,
   * it has left again. Disposing it meanwhile ends it with `StoppedError` or in peace.
   */
  async start(): Promise<void> {
    try {
      const { documents, projections } = this.#parts;
      for (const collection of [CHECKPOINTS, PARKED]) {
        await this.#retry('declaring collections', () => documents.declare(collection));
      }
      for (const projection of projections) await this.join(projection);
    } catch (thrown) {
      await this[Symbol.asyncDispose]();
      throw thrown;
    }
  }

  /** Joins the group of one more build, and declares its collection. Nothing where it has joined already. */
  async join(projection: Projection): Promise<void> {
    const { documents, log, topicName, groupName = topicName } = this.#parts;
    const name = collectionOf(projection);
    if (this.#joined.has(name) || this.#stopping.signal.aborted) return;
    const joined: Membership = { projection, running: new Map(), subscription: null };
    this.#joined.set(name, joined);
    try {
      await this.#retry('declaring collections', () => documents.declare(collectionSpec(projection)));
      joined.subscription = await this.#retry('joining the group', () =>
        log.subscribe(groupName(name), projection.topics.map(topicName), {
          assigned: (assignment) => this.#begin(joined, assignment),
          revoked: (assignment) => this.#states.end(assignment),
        }),
      );
    } catch (thrown) {
      this.#joined.delete(name);
      throw thrown;
    }
    if (this.#stopping.signal.aborted) await this.#leaveAll();
  }

  /** Leaves the group of a build, once the batches in hand are finished. Resolves when nothing of it is at work here. */
  async leave(build: string): Promise<void> {
    const joined = this.#joined.get(build);
    if (!joined) return;
    await joined.subscription?.[Symbol.asyncDispose]();
    await Promise.all(joined.running.values());
    this.#joined.delete(build);
  }

  /** Stops intake, finishes and checkpoints the batches in hand, leaves the groups. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    // A run that began just before the stop is waited for like the others.
    for (let running = this.#work(); running.length > 0; running = this.#work()) await Promise.all(running);
    await this.#leaveAll();
  }

  #work(): readonly Promise<void>[] {
    return [...this.#joined.values()].flatMap(({ running }) => [...running.values()]);
  }

  async #leaveAll(): Promise<void> {
    for (const joined of this.#joined.values()) {
      const { subscription } = joined;
      joined.subscription = null;
      await subscription?.[Symbol.asyncDispose]();
    }
  }

  #begin({ projection, running }: Membership, assignment: Assignment): void {
    if (this.#stopping.signal.aborted) return;
    const { topic, partition } = assignment;
    const lane = { readModel: collectionOf(projection), topic, partition };
    const watch = this.#states.begin(assignment, lane);
    const run = runLane(this.#parts, projection, lane, assignment, this.#surroundings, watch);
    running.set(
      assignment,
      run.finally(() => running.delete(assignment)),
    );
  }
}

interface Membership {
  readonly projection: Projection;
  readonly running: Map<Assignment, Promise<void>>;
  /** null before it has joined, and after it has left. */
  subscription: AsyncDisposable | null;
}
