import { buildsToProject } from '../../src/projecting/builds/builds-by-fold.ts';
import { createAliasWatch } from '../../src/projecting/builds/alias-watch.ts';
import type { BuildGate } from '../../src/projecting/engine/lane-context.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { collectionOf, type Projection } from '../../src/projecting/engine/projection.ts';
import type { Projector } from '../../src/projecting/engine/projector.ts';
import type { SearchFeed } from '../../src/projecting/search/feed.ts';
import type { Documents } from '../../src/stores/documents/port.ts';
import type { LiveAlias } from '../../src/stores/aliases.ts';
import { NAME } from './aliases.ts';
import { NOTES_AND_MARKS } from './notes-and-marks.ts';
import type { Health } from '../../src/findings/findings-to-readiness.ts';
import { workerBody } from '../../src/projecting/health/watch-health.ts';
import { createHeart } from '../../src/stores/heartbeats.ts';
import { WORKERS, type Worker as WorkerWord } from '../../src/stores/workers.ts';
import type { Worker } from './worker.ts';

/** How a worker follows the alias, and says that it is there: as src/compose/projector.ts has it. */

/** Says nothing, and so needs no name of a worker. */
export const LOGGER = createLogger('silent', 'simulation');

interface FollowingParts {
  readonly worker: Worker;
  readonly documents: Documents;
  /** Asked when it is needed: the projector needs the watch. */
  readonly projector: () => Projector;
  readonly feed: (projection: Projection) => SearchFeed;
}

export interface Following extends AsyncDisposable {
  readonly watch: ReturnType<typeof createAliasWatch>;
  /** The builds that the worker projects now. */
  readonly projections: readonly Projection[];
  /** By the names of their builds. */
  readonly feeds: ReadonlyMap<string, SearchFeed>;
}

export function createFollowing({ worker, documents, projector, feed }: FollowingParts): Following {
  const projections: Projection[] = [];
  const feeds = new Map<string, SearchFeed>();
  const watch = createAliasWatch({
    documents,
    names: [NAME],
    clock: worker.clock,
    logger: LOGGER,
    onChange: follow,
  });

  async function follow(aliases: readonly LiveAlias[]): Promise<void> {
    const wanted = buildsToProject(aliases, [NOTES_AND_MARKS]);
    const kept = new Set(wanted.map(collectionOf));
    for (const build of projections.map(collectionOf)) {
      if (kept.has(build)) continue;
      await feeds.get(build)?.[Symbol.asyncDispose]();
      feeds.delete(build);
      await projector().leave(build);
    }
    for (const projection of wanted) await projector().join(projection);
    projections.splice(0, projections.length, ...wanted);
    for (const projection of projections) {
      const build = collectionOf(projection);
      if (feeds.has(build)) continue;
      const begun = feed(projection);
      feeds.set(build, begun);
      begun.start();
    }
  }

  return {
    watch,
    projections,
    feeds,
    [Symbol.asyncDispose]: async () => {
      await watch[Symbol.asyncDispose]();
      await Promise.all([...feeds.values()].map((one) => one[Symbol.asyncDispose]()));
    },
  };
}

interface Beating {
  readonly worker: Worker;
  readonly projector: Projector;
  readonly health: Health;
}

/** As often as a real worker. Simulated milliseconds. */
const BEAT_MS = 3000;

/** Says every few seconds that the worker is there. Resolves once it has said that it leaves. */
export async function beat(actor: Beating, documents: Documents, signal: AbortSignal): Promise<void> {
  const { worker, projector } = actor;
  const parts = { documents, clock: worker.clock, logger: LOGGER, where: worker.name };
  const heart = createHeart<WorkerWord>(parts, WORKERS, projector.owner);
  while (!signal.aborted) {
    void heart.tryBeat(workerBody(parts, actor.health, projector.lanes()));
    await worker.clock.sleep(BEAT_MS, signal);
  }
  await heart[Symbol.asyncDispose]();
}

/** Keeps no pause: where a bug is planted, it may. */
export type Gated = (gate: BuildGate) => BuildGate;
