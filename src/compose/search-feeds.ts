import { collectionOf, searchedProjections, type Projection } from '../projecting/engine/projection.ts';
import type { BuildGate } from '../projecting/engine/lane-context.ts';
import type { BuildThrottle } from '../projecting/engine/build-throttle.ts';
import { createSearchFeed, type SearchFeed } from '../projecting/search/feed.ts';
import { createSearchFeedMetrics } from '../projecting/search/feed-metrics.ts';
import type { Parts } from './parts.ts';

/** The search feeds of a process: one for each build that has an index. */
export function createFeeds(
  parts: Parts,
  { isLive }: Pick<BuildGate, 'isLive'>,
  throttle: BuildThrottle | undefined,
) {
  const { documents, clock, logger, registry } = parts;
  const metrics = createSearchFeedMetrics(registry);
  const running = new Map<string, SearchFeed>();
  return {
    /** Begins to feed those of them that are not fed yet. */
    feed: (builds: readonly Projection[]): void => {
      for (const projection of searchedProjections(builds)) {
        const build = collectionOf(projection);
        if (running.has(build)) continue;
        const breathe = async (signal: AbortSignal): Promise<void> => {
          if (throttle && !isLive(build)) await throttle.rest(signal);
        };
        const { search } = parts;
        const feed = createSearchFeed({ documents, search, projection, clock, logger, metrics, breathe });
        running.set(build, feed);
        feed.start();
      }
    },
    /** Something was written to the documents of a build. */
    nudge: (build: string): void => running.get(build)?.nudge(),
    /** Resolves when nothing of the build is at work here. */
    end: async (build: string): Promise<void> => {
      await running.get(build)?.[Symbol.asyncDispose]();
      running.delete(build);
    },
    /** Of those that readers search: what only another build waits for makes nobody unready. */
    latest: () => [...running].flatMap(([build, feed]) => (isLive(build) ? [feed.latest()] : [])),
    [Symbol.asyncDispose]: async () => {
      for (const feed of [...running.values()].reverse()) await feed[Symbol.asyncDispose]();
    },
  };
}
