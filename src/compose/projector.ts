import { hostname } from 'node:os';

import { REJECTED, TOPICS } from '../events/event-types.ts';
import { PermanentError } from '../platform/errors.ts';
import { announcementLog } from '../projecting/engine/rejection-announcement-trouble.ts';
import { createCompletion } from '../projecting/health/build-completion.ts';
import type { Health } from '../findings/findings-to-readiness.ts';
import { watchHealth } from '../projecting/health/watch-health.ts';
import { laneName } from '../projecting/engine/lane.ts';
import { createBuildThrottle } from '../projecting/engine/build-throttle.ts';
import { collectionOf, type Projection } from '../projecting/engine/projection.ts';
import { createProjectorMetrics } from '../projecting/engine/projector-metrics.ts';
import { createProjector } from '../projecting/engine/projector.ts';
import { StoppedError } from '../projecting/engine/retry.ts';
import { startSweeper } from '../projecting/engine/retention-sweep.ts';
import { startAnnouncer } from '../projecting/builds/carry-parked-to-build.ts';
import { startAutoCutOver } from '../projecting/builds/verify-and-cut-over.ts';
import { startSeeder } from '../projecting/builds/seed-build-from-live.ts';
import { createAliasWatch } from '../projecting/builds/alias-watch.ts';
import { readAlias, type LiveAlias } from '../stores/aliases.ts';
import { noteOrigins } from '../stores/restore-detection.ts';
import { claimBuild } from '../projecting/builds/claim-build.ts';
import { buildsToProject, foldsToProject, seedSourceOf } from '../projecting/builds/builds-by-fold.ts';
import { cutOverParts } from './cut-over-parts.ts';
import { createFeeds } from './search-feeds.ts';
import type { Parts } from './parts.ts';
import { withoutWaiting, type Wait } from './retry-start-up.ts';

type Topics = Pick<Parts, 'config' | 'log' | 'topicName'>;

/** Creates the topics of the contract where the log does not have them yet. */
export async function ensureTopics({ config, log, topicName }: Topics): Promise<void> {
  const wanted = TOPICS.filter(({ name }) => name !== REJECTED || config.rejections === 'on');
  await log.ensureTopics(wanted.map((topic) => ({ ...topic, name: topicName(topic.name) })));
}

/** The same for a projector, which does not need the one that it may not see: see rejection-announcement-trouble.ts. */
export async function ensureReadTopics({ config, log, topicName }: Topics): Promise<void> {
  const isAnnouncing = config.rejections === 'on' && (await isShown(log, topicName(REJECTED)));
  await ensureTopics({ config: { ...config, rejections: isAnnouncing ? 'on' : 'off' }, log, topicName });
}

async function isShown(log: Parts['log'], topic: string): Promise<boolean> {
  try {
    await log.partitionCount(topic);
    return true;
  } catch (thrown) {
    if (!(thrown instanceof PermanentError)) throw thrown;
    return false;
  }
}

export type RunningProjector = Awaited<ReturnType<typeof startProjector>>;

interface StartOptions {
  /** Names of halted lanes that may start at the log's earliest record. */
  readonly acceptGaps: readonly string[];
  /** How stores that cannot be reached yet are waited for; by default not at all. */
  readonly wait?: Wait;
  /** How busy the thread is that answers readers, from 0 to 1. Default: none does in this process. */
  readonly utilization?: () => number;
  /** Ends a start that waits for the groups of the log, with `StoppedError`. */
  readonly signal?: AbortSignal;
}

/**
 * Starts projecting; resolves once the groups are joined.
 * @throws {PermanentError} where a fold has changed and its version has not.
 */
export async function startProjector(
  parts: Parts,
  { acceptGaps, wait = withoutWaiting, utilization, signal }: StartOptions,
) {
  // Before anything is asked of the log: a store of another format is refused first.
  const identity = await wait('the documents store', () => parts.identity());
  await wait('the topics of the log', () => ensureReadTopics(parts));
  const folds = await wait('the documents store', async () => {
    const found = await foldsToProject(parts);
    for (const projection of parts.projections) await claimBuild(parts, projection, found);
    return found;
  });
  const { config, registry, topicName, clock, logger, decode, log, documents } = parts;
  // One for the thread: what works in it takes turns, and rests together.
  const throttle = utilization && createBuildThrottle(clock, utilization);
  const rejectedTopic = topicName(REJECTED);
  const isOn = config.rejections === 'on';
  /** The builds that are projected here: the same list for all parts, changed as builds come and go. */
  const projections: Projection[] = [];
  // A spread of the parts themselves would open the search engine, which nobody has asked for yet.
  const stores = { config, registry, topicName, clock, logger, decode, log, documents, projections };
  await using starting = new AsyncDisposableStack();
  const names = parts.projections.map(({ name }) => name);
  const announcing = announcementLog({ ...stores, topic: rejectedTopic, isOn });
  const watch = createAliasWatch({ ...stores, names, onChange: follow });
  const projector = starting.use(
    createProjector({
      ...stores,
      projections: [],
      log: announcing,
      metrics: createProjectorMetrics(registry),
      onWritten: (build) => feeds.nudge(build),
      rejectedTopic,
      // Groups of several stores on one log have nothing to do with each other.
      groupName: (readModel) => `${topicName(readModel)}.${identity}`,
      acceptGaps,
      gate: watch,
      ...(throttle && { throttle }),
    }),
  );
  const feeds = starting.use(createFeeds(parts, watch, throttle));
  starting.use(watch);

  /** Begins with builds that are new, and ends with those that are gone. */
  async function follow(aliases: readonly LiveAlias[]): Promise<void> {
    const wanted = buildsToProject(aliases, folds);
    const kept = new Set(wanted.map(collectionOf));
    for (const build of projections.map(collectionOf)) {
      if (kept.has(build)) continue;
      await feeds.end(build);
      await projector.leave(build);
    }
    for (const projection of wanted) await projector.join(projection);
    projections.splice(0, projections.length, ...wanted);
    // The index of a build is filled once its documents are there: each of them is then sent once.
    feeds.feed(projections.filter((projection) => watch.isLive(collectionOf(projection))));
  }

  function isRunning(name: string): boolean {
    return projector.lanes().some(({ lane, state }) => state === 'running' && laneName(lane) === name);
  }

  function cuttingOver(): AsyncDisposable {
    const { signal: _given, ...work } = cutOverParts(parts, new AbortController().signal);
    return startAutoCutOver({ ...work, logger, builds: projections, isRunning, throttle });
  }

  // It waits by itself, without an end.
  signal?.addEventListener('abort', projector.end, { once: true });
  await wait('indexes of the read models, and the groups of the log', async () => {
    await projector.start();
    await watch.start();
    await noteOrigins(documents);
  });
  signal?.removeEventListener('abort', projector.end);
  if (signal?.aborted) throw new StoppedError('the projector was told to stop');
  const seeder = starting.use(
    startSeeder({
      ...stores,
      builds: projections,
      isLive: (build) => watch.isLive(build),
      isRunning,
      sourceOf: async (target) => {
        const alias = await readAlias(documents, target.name);
        return alias && (await seedSourceOf(parts, alias, target, folds));
      },
      ...(throttle && { throttle }),
    }),
  );
  const completion = starting.use(
    createCompletion({
      ...stores,
      // Opened when it is first asked.
      search: { indexes: () => parts.search.indexes() },
      isSeeded: (projection) => seeder.isDone(projection),
      onConsumed: (projection) => feeds.feed([projection]),
    }),
  );
  const health = starting.use(
    watchHealth(
      {
        ...stores,
        where: `${hostname()}:${process.pid}`,
        isLive: (build) => watch.isLive(build),
        onProgress: (lanes) => completion.take(lanes),
        isAwaited: () => !completion.isDone(),
      },
      projector,
    ),
  );
  // Not waited for: it takes its turn among the lanes, and until it is done the process says that it is starting.
  void health.look();
  starting.use(startSweeper(stores));
  starting.use(startAnnouncer({ ...stores, log: announcing, builds: projections, rejectedTopic, isRunning }));
  if (config.cutOver === 'auto') starting.use(cuttingOver());
  // Before all else: `watch` may wait for a group that cannot be joined.
  starting.defer(projector.end);
  const running = starting.move();
  return {
    /** Of the lanes and of the search feeds; the latest that is known. */
    health: (): Health => {
      const all = [health.latest(), ...feeds.latest()];
      return {
        ok: all.every(({ ok }) => ok),
        detail: all.map(({ detail }) => detail).join('; '),
        findings: all.flatMap(({ findings = [] }) => findings),
      };
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
