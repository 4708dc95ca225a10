import { messageOf } from '../../platform/errors.ts';
import { once } from '../../platform/once.ts';
import { beginBuild, BUILDS, completeBuild, type Build } from '../../stores/builds.ts';
import { isBackfilling } from '../../stores/feed-lease.ts';
import type { Search } from '../../stores/search/port.ts';
import type { HealthParts } from './watch-health.ts';
import { laneName } from '../engine/lane.ts';
import type { LaneProgress } from '../inspect/lane-progress.ts';
import { collectionOf, indexOf, type Projection } from '../engine/projection.ts';
import { waitForSearch } from '../inspect/search-progress.ts';

export interface CompletionParts extends Pick<HealthParts, 'documents' | 'topicName' | 'clock' | 'logger'> {
  readonly search: Pick<Search, 'indexes'>;
  /** Those that this worker projects now: asked at each look. */
  readonly projections: readonly Projection[];
  /** Whether a build has all that the log does not say. Default: it says everything. */
  readonly isSeeded?: (projection: Projection) => Promise<boolean>;
  /** Told of a build, perhaps several times, once its lanes have consumed what was there when it began. */
  readonly onConsumed?: (projection: Projection) => void;
}

/** How often the index is asked whether it has been told, in milliseconds. */
const POLL_MS = 500;

/**
 * Records, for the processes that serve, that a read model has been complete once (src/stores/builds.ts): every lane has consumed
 * what was in the log at the beginning, and the index has been told of it. Any number of projectors may do so at once.
 */
export function createCompletion(parts: CompletionParts) {
  const { documents, search, topicName, clock, logger } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  /** The builds that are known to have been complete. */
  const complete = new Set<string>();
  const declared = once(() => documents.declare(BUILDS));
  let isLooking = false;
  /** The build whose index is waited for; its end where it is dropped meanwhile. */
  let waiting: { readonly build: string; readonly gone: AbortController } | null = null;

  return {
    /**
     * Takes lanes that were just looked at. Returns at once and never throws: what fails is logged, and made good by the
     * next look. Lanes that come meanwhile are passed over.
     */
    take(lanes: readonly LaneProgress[]): void {
      if (waiting && !parts.projections.some((one) => collectionOf(one) === waiting?.build))
        waiting.gone.abort();
      if (isLooking || signal.aborted || incomplete().length === 0) return;
      isLooking = true;
      void look(lanes)
        .catch((thrown: unknown) => {
          if (!signal.aborted)
            logger.warn(
              { reason: messageOf(thrown) },
              'how complete the read models are could not be recorded',
            );
        })
        .finally(() => (isLooking = false));
    },
    /** Whether every read model is known to have been complete. */
    isDone: (): boolean => incomplete().length === 0,
    [Symbol.dispose]: (): void => stopping.abort(),
  };

  function incomplete(): readonly Projection[] {
    return parts.projections.filter((projection) => !complete.has(collectionOf(projection)));
  }

  async function look(lanes: readonly LaneProgress[]): Promise<void> {
    await declared();
    for (const projection of incomplete()) {
      const build = collectionOf(projection);
      const own = lanes.filter(({ readModel }) => readModel === build);
      if (await isCompleteBy(projection, own)) complete.add(build);
    }
  }

  async function isCompleteBy(projection: Projection, own: readonly LaneProgress[]): Promise<boolean> {
    const readModel = collectionOf(projection);
    // A topic that is not there yet has no end that could be reached.
    const isWhole = projection.topics.every((topic) => own.some((lane) => lane.topic === topicName(topic)));
    if (!isWhole) return false;
    const targets = Object.fromEntries(own.map((lane) => [laneName(lane), lane.readable]));
    const build = await beginBuild(documents, readModel, targets);
    const isComplete = build.completed_at !== null;
    if (!isComplete && !own.every((lane) => hasReached(lane, build))) return false;
    if (!isComplete && !((await parts.isSeeded?.(projection)) ?? true)) return false;
    parts.onConsumed?.(projection);
    if (isComplete) return true;
    const index = indexOf(projection);
    if (index !== null) {
      if (!(await search.indexes()).includes(index)) return false;
      const gone = new AbortController();
      waiting = { build: readModel, gone };
      const over = AbortSignal.any([signal, gone.signal]);
      const options = { clock, signal: over, pollMs: POLL_MS };
      const waited = await waitForSearch(projection, documents, options).finally(() => (waiting = null));
      // Before the first feeder, what stands in the index is another installation's, perhaps.
      if (waited !== 'reached' || (await isBackfilling(documents, index))) return false;
    }
    await completeBuild(documents, readModel);
    logger.info({ readModel }, 'the read model is complete');
    return true;
  }
}

/** A log that was made again may end before the target: what it has counts. */
function hasReached(lane: LaneProgress, { targets }: Build): boolean {
  const target = targets[laneName(lane)] ?? 0;
  return lane.position !== null && lane.position >= Math.min(target, lane.readable);
}
