import { randomUUID } from 'node:crypto';

import type { Assignment } from '../../events/log/port.ts';
import { type BuildGate, createSerialQueue, type LaneParts, type LaneSurroundings } from './lane-context.ts';
import { CHECKPOINTS } from './lane.ts';
import { runLane } from './lane-run.ts';
import { createLaneStates, type LaneState } from './lane-states.ts';
import { PARKED } from './parking.ts';
import { collectionOf, collectionSpec, type Projection } from './projection.ts';
import { createRetry } from './retry.ts';

export interface ProjectorParts extends LaneParts {
  /** What it begins with; others may be joined later. */
  readonly projections: readonly Projection[];
  /** Topic names as the log has them, from a projection's own: a prefix may stand before them. */
  readonly topicName: (topic: string) => string;
  /** The name of a read model's group in the log. Default: as topics are named. */
  readonly groupName?: (readModel: string) => string;
  /** Names of lanes (`listings@1/catalog.entries/0`) that may start at the log's earliest record despite a gap. */
  readonly acceptGaps?: readonly string[];
  readonly gate: BuildGate;
  /** Names this worker, and no other one ever; a simulation passes its own. Default: a random UUID. */
  readonly owner?: string;
}

export type Projector = ReturnType<typeof createProjector>;

/** Folds the log into documents, lane by lane (lane-run.ts), until it is disposed. */
export function createProjector(parts: ProjectorParts) {
  const { clock, logger, documents, log, random = Math.random, owner = randomUUID() } = parts;
  const stopping = new AbortController();
  const retry = createRetry({ clock, logger, signal: stopping.signal, random });
  const surroundings: LaneSurroundings = {
    owner,
    queue: createSerialQueue(),
    acceptable: new Set(parts.acceptGaps),
    startedAt: clock.monotonic(),
    gate: parts.gate,
    stopping: stopping.signal,
  };
  /** By the names of the builds. */
  const joined = new Map<string, Membership>();
  const states = createLaneStates(clock);

  async function join(projection: Projection): Promise<void> {
    const { topicName, groupName = topicName } = parts;
    const name = collectionOf(projection);
    if (joined.has(name) || stopping.signal.aborted) return;
    const membership: Membership = { projection, running: new Map(), subscription: null };
    joined.set(name, membership);
    try {
      await retry('declaring collections', () => documents.declare(collectionSpec(projection)));
      membership.subscription = await retry('joining the group', () =>
        log.subscribe(groupName(name), projection.topics.map(topicName), {
          assigned: (assignment) => begin(membership, assignment),
          revoked: (assignment) => states.end(assignment),
        }),
      );
    } catch (thrown) {
      joined.delete(name);
      throw thrown;
    }
    if (stopping.signal.aborted) await leaveAll();
  }

  function begin({ projection, running }: Membership, assignment: Assignment): void {
    if (stopping.signal.aborted) return;
    const { topic, partition } = assignment;
    const lane = { readModel: collectionOf(projection), topic, partition };
    const watch = states.begin(assignment, lane);
    const run = runLane(parts, projection, lane, assignment, surroundings, watch);
    running.set(
      assignment,
      run.finally(() => running.delete(assignment)),
    );
  }

  function work(): readonly Promise<void>[] {
    return [...joined.values()].flatMap(({ running }) => [...running.values()]);
  }

  async function leaveAll(): Promise<void> {
    for (const membership of joined.values()) {
      const { subscription } = membership;
      membership.subscription = null;
      await subscription?.[Symbol.asyncDispose]();
    }
  }

  /** Stops intake, finishes and checkpoints the batches in hand, leaves the groups. */
  async function stop(): Promise<void> {
    stopping.abort();
    // A run that began just before the stop is waited for like the others.
    for (let running = work(); running.length > 0; running = work()) await Promise.all(running);
    await leaveAll();
  }

  return {
    /** Names this worker in the checkpoints of the lanes it holds. */
    owner,
    /** What this worker knows of each lane that is assigned to it now, claimed or not. */
    lanes: (): readonly LaneState[] => states.list(),
    /**
     * Declares the collections and joins one group per projection version. Resolves once it has joined; where it throws,
     * it has left again. Disposing it meanwhile ends it with `StoppedError` or in peace.
     */
    start: async (): Promise<void> => {
      try {
        for (const collection of [CHECKPOINTS, PARKED])
          await retry('declaring collections', () => documents.declare(collection));
        for (const projection of parts.projections) await join(projection);
      } catch (thrown) {
        await stop();
        throw thrown;
      }
    },
    /** Joins the group of one more build, and declares its collection. Nothing where it has joined already. */
    join,
    /** Leaves the group of a build, once the batches in hand are finished. Resolves when nothing of it is at work here. */
    leave: async (build: string): Promise<void> => {
      const membership = joined.get(build);
      if (!membership) return;
      await membership.subscription?.[Symbol.asyncDispose]();
      await Promise.all(membership.running.values());
      joined.delete(build);
    },
    /** Begins nothing more, and does not go on trying: disposing it does the rest. */
    end: () => stopping.abort(),
    [Symbol.asyncDispose]: stop,
  };
}

interface Membership {
  readonly projection: Projection;
  readonly running: Map<Assignment, Promise<void>>;
  /** null before it has joined, and after it has left. */
  subscription: AsyncDisposable | null;
}
