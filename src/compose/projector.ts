import { hostname } from 'node:os';

import { REJECTED, TOPICS } from '../events/types.ts';
import { PermanentError } from '../platform/errors.ts';
import { announcingLog } from '../projecting/engine/announcing.ts';
import { createCompletion } from '../projecting/inspect/completion.ts';
import { watchHealth, type Health } from '../projecting/inspect/health.ts';
import { collectionOf, indexOf, searched, type Projection } from '../projecting/engine/projection.ts';
import type { LaneProgress } from '../projecting/inspect/progress.ts';
import { createProjectorMetrics } from '../projecting/engine/projector-metrics.ts';
import { Projector } from '../projecting/engine/projector.ts';
import { Stopped } from '../projecting/engine/retry.ts';
import { createSearchFeedMetrics } from '../projecting/search/feeding.ts';
import { SearchFeed } from '../projecting/search/feed.ts';
import { startSweeper } from '../projecting/engine/sweep.ts';
import type { Documents } from '../stores/documents/port.ts';
import { claimVersion } from '../stores/live.ts';
import type { Search } from '../stores/search/port.ts';
import { foldIdentity } from './fold-sources.ts';
import type { Parts } from './parts.ts';
import { withoutWaiting, type Wait } from './starting.ts';

/** Creates the topics of the contract where the log does not have them yet. */
export async function ensureTopics({ config, log, topicName }: Parts): Promise<void> {
  const wanted = TOPICS.filter(({ name }) => name !== REJECTED || config.rejections === 'on');
  await log.ensureTopics(wanted.map((topic) => ({ ...topic, name: topicName(topic.name) })));
}

export interface RunningProjector extends AsyncDisposable {
  /** Of the lanes and of the search feeds; the latest that is known. */
  health(): Health;
}

export interface StartOptions {
  /** Names of halted lanes that may start at the log's earliest record. */
  readonly acceptGaps: readonly string[];
  /** How stores that cannot be reached yet are waited for; by default not at all. */
  readonly wait?: Wait;
  /** Ends a start that waits for the groups of the log, with `Stopped`. */
  readonly signal?: AbortSignal;
}

/**
 * Starts projecting; resolves once the groups are joined.
 * @throws {PermanentError} where a fold has changed and its version has not.
 */
export async function startProjector(
  parts: Parts,
  { acceptGaps, wait = withoutWaiting, signal }: StartOptions,
): Promise<RunningProjector> {
  // Before anything is asked of the log: a store of another format is refused first.
  const identity = await wait('the documents store', () => parts.identity());
  await wait('the topics of the log', () => ensureTopics(parts));
  await wait('the documents store', async () => {
    for (const projection of parts.projections) await claim(parts.documents, projection);
  });
  const { registry, topicName } = parts;
  const rejectedTopic = topicName(REJECTED);
  const metrics = createProjectorMetrics(registry);
  await using starting = new AsyncDisposableStack();
  const isOn = parts.config.rejections === 'on';
  const log = announcingLog({ ...withStores(parts), topic: rejectedTopic, isOn });
  const projector = starting.use(
    new Projector({
      ...withStores(parts),
      log,
      metrics,
      rejectedTopic,
      // Groups of several stores on one log have nothing to do with each other.
      groupName: (readModel) => `${topicName(readModel)}.${identity}`,
      acceptGaps,
    }),
  );
  // It waits by itself, without an end.
  const stop = (): void => void projector[Symbol.asyncDispose]();
  signal?.addEventListener('abort', stop, { once: true });
  await wait('indexes of the read models, and the groups of the log', () => projector.start());
  signal?.removeEventListener('abort', stop);
  if (signal?.aborted) throw new Stopped('the projector was told to stop');
  const completion = starting.use(createCompletion({ ...withStores(parts), search: searchOf(parts) }));
  const onProgress = (lanes: readonly LaneProgress[]): void => completion.take(lanes);
  const where = `${hostname()}:${process.pid}`;
  const isAwaited = (): boolean => !completion.isDone();
  const watched = { ...withStores(parts), where, onProgress, isAwaited };
  const health = starting.use(watchHealth(watched, projector));
  // Not waited for: it takes its turn among the lanes, and until it is done the process says that it is starting.
  void health.look();
  const feeds = startFeeds(parts);
  for (const feed of feeds) starting.use(feed);
  starting.use(startSweeper(withStores(parts)));
  const running = starting.move();
  return {
    health: () => together([health.latest(), ...feeds.map((feed) => feed.latest())]),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

function startFeeds(parts: Parts): readonly SearchFeed[] {
  const { documents, clock, logger, registry, projections } = parts;
  const metrics = createSearchFeedMetrics(registry);
  return searched(projections).map((projection) => {
    const feed = new SearchFeed({ documents, search: parts.search, projection, clock, logger, metrics });
    feed.start();
    return feed;
  });
}

function together(parts: readonly Health[]): Health {
  return { ok: parts.every(({ ok }) => ok), detail: parts.map(({ detail }) => detail).join('; ') };
}

/** Opened when it is first asked. */
function searchOf(parts: Parts): Pick<Search, 'indexes'> {
  return { indexes: () => parts.search.indexes() };
}

/** The parts as plain fields: a spread of `Parts` itself would open stores that nobody asked for. */
function withStores(
  parts: Parts,
): Omit<Parts, 'access' | 'search' | 'identity' | 'dailyLimit' | typeof Symbol.asyncDispose> {
  const { config, clock, logger, registry, projections, decode, topicName, log, documents } = parts;
  return { config, clock, logger, registry, projections, decode, topicName, log, documents };
}

async function claim(documents: Documents, projection: Projection): Promise<void> {
  const { name, version } = projection;
  const index = indexOf(projection);
  const collection = collectionOf(projection);
  const fold = await foldIdentity(projection);
  const claimed = await claimVersion(documents, { name, version, collection, index, ...fold });
  switch (claimed.outcome) {
    case 'claimed':
      return;
    case 'changed_fold':
      throw new PermanentError(
        `The fold of ${collection} has changed, its version has not. Raise the version in projections/${name}/index.ts, or run the release that made the documents.`,
      );
    case 'other_version':
      throw new PermanentError(
        `The live version of ${name} is ${claimed.live}, this release has ${version}. Run the release that has ${claimed.live}, or give this one a data folder of its own (CATALOG_DATA; where it is to read the same events, with CATALOG_LOG_URL).`,
      );
  }
}
