import type { Log } from '../../src/events/log/port.ts';
import type { Clock } from '../../src/platform/clock.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { Registry } from '../../src/platform/metrics.ts';
import type { LaneState } from '../../src/projecting/engine/lane-states.ts';
import { createProjectorMetrics } from '../../src/projecting/engine/projector-metrics.ts';
import { Projector, type ProjectorParts } from '../../src/projecting/engine/projector.ts';
import { Stopped } from '../../src/projecting/engine/retry.ts';
import { SearchFeed, type SearchFeedBounds } from '../../src/projecting/search/feed.ts';
import type { Documents } from '../../src/stores/documents/port.ts';
import { FEED_LEASES } from '../../src/stores/feed-lease.ts';
import type { Search } from '../../src/stores/search/port.ts';
import { decode, NOTES_AND_MARKS } from './notes-and-marks.ts';
import { watchHealth, type Said } from './health-watcher.ts';
import { BrokenPromise, LANES, require } from './promises.ts';
import { connectDocuments, type SharedDocuments } from './simulated-documents.ts';
import { connectLog, type Member, type SharedLog } from './simulated-log.ts';
import { connectSearch, LIFETIME_MS, type SharedSearch } from './simulated-search.ts';
import { createWorker, type Worker } from './worker.ts';
import type { World } from './world.ts';

/** Everything that takes part in one run, and how projectors and feeders come and go. */
export interface Stage {
  readonly world: World;
  readonly log: SharedLog;
  readonly documents: SharedDocuments;
  readonly search: SharedSearch;
  /**
   * Whether sweeps see nothing: then the marks alone have to make the index right. Workers are not killed in such a
   * storm, no request comes late and no index is lost, since only a sweep makes that good.
   */
  readonly isBlind: boolean;
  readonly planted: Planted;
  /** What the watch over every write has found. */
  readonly broken: Error[];
  readonly actors: Actor[];
}

/** A worker with the projector and the feeder in it. */
export interface Actor {
  readonly worker: Worker;
  readonly projector: Projector;
  readonly feed: SearchFeed;
  hasStarted: boolean;
  stopping: boolean;
  health: Said;
}

/** What stands between a worker and its stores: a bug to be caught. */
export interface Planted {
  readonly documents?: (documents: Documents) => Documents;
  readonly log?: (log: Log, clock: Clock) => Log;
  readonly clock?: (clock: Clock) => Clock;
  /** The documents as the feeder sees them. */
  readonly fedFrom?: (documents: Documents) => Documents;
  readonly search?: (search: Search) => Search;
  /** The lanes that health is judged by. */
  readonly judged?: (lanes: readonly LaneState[]) => readonly LaneState[];
}

/** Says nothing, and so needs no name of a worker. */
const LOGGER = createLogger('silent', 'simulation');

/** `acceptGaps` names lanes whose halt the operator accepts. */
export function start(stage: Stage, acceptGaps: readonly string[] = []): Actor {
  const worker = createWorker(stage.world, `worker ${stage.actors.length}`);
  const projector = new Projector({ ...partsOf(stage, worker), acceptGaps });
  const feed = new SearchFeed(feedPartsOf(stage, worker));
  const health = { ok: false, detail: 'starting', at: stage.world.now() };
  const actor: Actor = { worker, projector, feed, hasStarted: false, stopping: false, health };
  stage.actors.push(actor);
  feed.start();
  const starting = async (): Promise<void> => {
    await projector.start();
    actor.hasStarted = true;
    const watcher = createWorker(stage.world, `health of ${worker.name}`);
    const judged = stage.planted.judged ?? ((lanes: readonly LaneState[]) => lanes);
    await watchHealth(actor, watcher, partsOf(stage, watcher), judged);
  };
  starting().catch((thrown: unknown) => {
    if (!(thrown instanceof Stopped)) stage.broken.push(thrown as Error);
  });
  return actor;
}

export function membersOf({ log }: Stage, { worker }: Actor): readonly Member[] {
  return [...log.members].filter((member) => member.worker === worker);
}

/** Gives every partition to a worker that has joined. */
export function assignAll(stage: Stage, actor: Actor): void {
  for (const member of membersOf(stage, actor))
    for (const { topic, partition } of LANES) member.assign(topic, partition);
}

/** Resolves when it has stopped; a worker that is killed meanwhile never does. */
export async function stop({ world, broken }: Stage, actor: Actor): Promise<void> {
  const { worker, projector, feed, hasStarted } = actor;
  actor.stopping = true;
  try {
    await Promise.all([projector[Symbol.asyncDispose](), feed[Symbol.asyncDispose]()]);
    if (hasStarted && !world.isIdle(worker)) throw new BrokenPromise('a worker has stopped and still works');
  } catch (thrown) {
    broken.push(thrown as Error);
  }
}

export function partsOf({ log, documents, planted, world }: Stage, worker: Worker): ProjectorParts {
  const connected = { log: connectLog(log, worker), documents: connectDocuments(documents, worker) };
  return {
    log: planted.log?.(connected.log, worker.clock) ?? connected.log,
    documents: planted.documents?.(connected.documents) ?? connected.documents,
    projections: [NOTES_AND_MARKS],
    decode,
    clock: planted.clock?.(worker.clock) ?? worker.clock,
    logger: LOGGER,
    metrics: createProjectorMetrics(new Registry()),
    rejectedTopic: 'rejected',
    topicName: (topic) => topic,
    batchRecords: 6,
    random: () => world.random(),
  };
}

/** Simulated milliseconds: shorter than the real ones, since a storm lasts for some 20 s. */
export const BOUNDS: SearchFeedBounds = {
  pollMs: 1000,
  lookMs: 5000,
  sweepMs: 20_000,
  confirmAfterMs: 2 * LIFETIME_MS,
  leaseMs: 5000,
  sealMs: 3000,
};

export function feedPartsOf(stage: Stage, worker: Worker): ConstructorParameters<typeof SearchFeed>[0] {
  const { documents, search, planted, world, isBlind } = stage;
  const connected = { documents: connectDocuments(documents, worker), search: connectSearch(search, worker) };
  // Half of the workers believe that the index is their own.
  const leased = world.chance(0.5) ? withLeaseOf(worker, connected.documents) : connected.documents;
  return {
    projection: NOTES_AND_MARKS,
    ...blinded(isBlind, {
      documents: planted.fedFrom?.(leased) ?? leased,
      search: planted.search?.(connected.search) ?? connected.search,
    }),
    clock: planted.clock?.(worker.clock) ?? worker.clock,
    logger: LOGGER,
    random: () => world.random(),
    nonce: () => world.nonce(),
    bounds: BOUNDS,
  };
}

/** Where a worker that believes the index to be its own keeps the lease. */
export function leasesOf({ name }: Worker): string {
  return `leases of ${name}`;
}

function withLeaseOf(worker: Worker, documents: Documents): Documents {
  const own = (collection: string): string =>
    collection === FEED_LEASES.name ? leasesOf(worker) : collection;
  return {
    ...documents,
    declare: (spec) => documents.declare({ ...spec, name: own(spec.name) }),
    get: (collection, ids) => documents.get(own(collection), ids),
    write: (collection, writes) => documents.write(own(collection), writes),
  };
}

interface FedStores {
  readonly documents: Documents;
  readonly search: Search;
}

/** Sweeps see neither documents nor entries, and so no difference. */
function blinded(isBlind: boolean, { documents, search }: FedStores): FedStores {
  if (!isBlind) return { documents, search };
  const nothing = async function* (): AsyncGenerator<never> {};
  return { documents: { ...documents, scan: nothing }, search: { ...search, contents: nothing } };
}

/** Ends the run with the first thing that the watch has found. */
export function failIfBroken({ broken: [first] }: Stage): void {
  if (first instanceof BrokenPromise || first === undefined) {
    if (first) throw first;
  } else {
    throw new BrokenPromise(`unexpected: ${first.message}`, { cause: first });
  }
}

/** How long what has been begun may take once nothing fails. Simulated milliseconds. */
const FINISHED_MS = 60_000;

/** Steps until the work has ended, and returns what it returned. */
export async function finish<T>(stage: Stage, work: Promise<T>, what: string): Promise<T> {
  let ended = false;
  const done = work.finally(() => (ended = true));
  done.catch(() => undefined);
  const isOver = await stage.world.until(() => ended || stage.broken.length > 0, FINISHED_MS);
  failIfBroken(stage);
  require(isOver, `recovery: it does not come to pass that ${what}`);
  return done;
}
