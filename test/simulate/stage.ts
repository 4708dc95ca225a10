import type { Log } from '../../src/events/log/port.ts';
import type { Clock } from '../../src/platform/time/clock.ts';
import { Registry } from '../../src/platform/metrics-registry.ts';
import { startAnnouncer } from '../../src/projecting/builds/carry-parked-to-build.ts';
import type { RedriveBuild } from '../../src/projecting/builds/redrive-in-builds.ts';
import { laneName } from '../../src/projecting/engine/lane.ts';
import type { LaneState } from '../../src/projecting/engine/lane-states.ts';
import { createProjectorMetrics } from '../../src/projecting/engine/projector-metrics.ts';
import type { Projection } from '../../src/projecting/engine/projection.ts';
import {
  createProjector,
  type Projector,
  type ProjectorParts,
} from '../../src/projecting/engine/projector.ts';
import { StoppedError } from '../../src/projecting/engine/retry.ts';
import { createSearchFeed } from '../../src/projecting/search/feed.ts';
import type { SearchFeedBounds, SearchFeedParts } from '../../src/projecting/search/feed-context.ts';
import type { Documents } from '../../src/stores/documents/port.ts';
import { FEED_LEASES } from '../../src/stores/feed-lease.ts';
import type { Search } from '../../src/stores/search/port.ts';
import { OPEN_GATE } from '../support/open-gate.ts';
import { projectionOf } from './aliases.ts';
import { beat, createFollowing, type Following, type Gated, LOGGER } from './following.ts';
import { decodeBy, type Release } from './notes-and-marks.ts';
import { watchHealth, type Said } from './health-watcher.ts';
import { BrokenPromise, PARTITIONS, require, TOPICS } from './promises.ts';
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
  /** Whether other builds are made, switched to and dropped. */
  readonly hasBuilds: boolean;
  readonly planted: Planted;
  /** The one that all processes run. */
  readonly release: Release;
  /** What the watch over every write has found. */
  readonly broken: Error[];
  readonly actors: Actor[];
  readonly operators: Operator[];
  /** Every build that there ever was. */
  readonly begun: Set<string>;
}

/** A process that changes the alias: a command that a person, or a script, has started. */
export interface Operator {
  readonly worker: Worker;
  isDone: boolean;
}

/** A worker with the projector and the feeders in it. */
export interface Actor {
  readonly worker: Worker;
  readonly projector: Projector;
  readonly following: Following;
  /** Tells upstream of what others have left untold. */
  announcer: AsyncDisposable | null;
  /** Aborted when it stops. */
  readonly over: AbortController;
  /** Whether it keeps the leases of its indexes where nobody else looks. */
  readonly isAlone: boolean;
  /** Says that it is there. */
  beating: Promise<void>;
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
  /** Whether it takes other builds to show. */
  readonly hasBuilds?: boolean;
  /** What a lane knows of pauses. */
  readonly gate?: Gated;
  /** The documents as a command that switches or drops builds sees them. */
  readonly operated?: (documents: Documents) => Documents;
  /** The documents as a command sees them that writes to builds beside their lanes. */
  readonly written?: (documents: Documents) => Documents;
  /** The builds that an event is redriven in. */
  readonly redrivenIn?: (standing: readonly RedriveBuild[]) => readonly RedriveBuild[];
  /** The lanes that health is judged by. */
  readonly judged?: (lanes: readonly LaneState[]) => readonly LaneState[];
}

/** `acceptGaps` names lanes whose halt the operator accepts. */
export function start(stage: Stage, acceptGaps: readonly string[] = []): Actor {
  const worker = createWorker(stage.world, `worker ${stage.actors.length}`);
  // Half of the workers believe that the indexes are their own.
  const isAlone = stage.world.chance(0.5);
  const following = createFollowing({
    worker,
    documents: connectDocuments(stage.documents, worker),
    projector: () => projector,
    feed: (projection) => createSearchFeed(feedPartsOf(stage, worker, projection, isAlone)),
  });
  const gate = stage.planted.gate?.(following.watch) ?? following.watch;
  const owner = stage.world.owner();
  const projector = createProjector({ ...partsOf(stage, worker), projections: [], acceptGaps, gate, owner });
  const over = new AbortController();
  const beating = Promise.resolve();
  const health = { ok: false, detail: 'starting', at: stage.world.now() };
  const actor: Actor = {
    worker,
    projector,
    following,
    announcer: null,
    over,
    isAlone,
    beating,
    hasStarted: false,
    stopping: false,
    health,
  };
  stage.actors.push(actor);
  const starting = async (): Promise<void> => {
    await projector.start();
    while (!(await startsToFollow(actor))) await worker.clock.sleep(1000, over.signal);
    if (over.signal.aborted) return;
    actor.hasStarted = true;
    actor.announcer = startAnnouncer({
      ...partsOf(stage, worker),
      builds: following.projections,
      isRunning: (lane) =>
        projector.lanes().some((one) => one.state === 'running' && laneName(one.lane) === lane),
    });
    actor.beating = beat(actor, connectDocuments(stage.documents, worker), over.signal);
    const watcher = createWorker(stage.world, `health of ${worker.name}`, worker.name);
    const judged = stage.planted.judged ?? ((lanes: readonly LaneState[]) => lanes);
    const parts = { ...partsOf(stage, watcher), documents: heard(stage, actor, watcher) };
    const watched = { ...parts, projections: following.projections };
    await watchHealth(actor, watcher, watched, judged, connectSearch(stage.search, watcher));
  };
  starting().catch((thrown: unknown) => {
    if (!(thrown instanceof StoppedError)) stage.broken.push(thrown as Error);
  });
  return actor;
}

/** What cannot be reached yet is waited for. */
async function startsToFollow({ following, over }: Actor): Promise<boolean> {
  try {
    await following.watch.start();
    return true;
  } catch {
    return over.signal.aborted;
  }
}

export function membersOf({ log }: Stage, { worker }: Actor): readonly Member[] {
  return [...log.members].filter((member) => member.worker === worker);
}

/** Gives every partition to a worker that has joined. */
export function assignAll(stage: Stage, actor: Actor): void {
  for (const member of membersOf(stage, actor))
    for (const topic of TOPICS) for (const partition of PARTITIONS) member.assign(topic, partition);
}

/** Resolves when it has stopped; a worker that is killed meanwhile never does. */
export async function stop({ world, broken }: Stage, actor: Actor): Promise<void> {
  const { worker, projector, following, hasStarted, over } = actor;
  actor.stopping = true;
  over.abort();
  try {
    await following[Symbol.asyncDispose]();
    await actor.announcer?.[Symbol.asyncDispose]();
    await projector[Symbol.asyncDispose]();
    await actor.beating;
    if (hasStarted && !world.isIdle(worker)) throw new BrokenPromise('a worker has stopped and still works');
  } catch (thrown) {
    broken.push(thrown as Error);
  }
}

export function partsOf({ log, documents, planted, world, release }: Stage, worker: Worker): ProjectorParts {
  const connected = { log: connectLog(log, worker), documents: connectDocuments(documents, worker) };
  return {
    log: planted.log?.(connected.log, worker.clock) ?? connected.log,
    documents: planted.documents?.(connected.documents) ?? connected.documents,
    projections: [projectionOf('notes@1')],
    decode: (record) => decodeBy(release)(record),
    clock: planted.clock?.(worker.clock) ?? worker.clock,
    logger: LOGGER,
    metrics: createProjectorMetrics(new Registry()),
    rejectedTopic: 'rejected',
    topicName: (topic) => topic,
    gate: OPEN_GATE,
    batchRecords: 6,
    random: () => world.random(),
  };
}

/** Simulated milliseconds: shorter than the real ones, since a storm lasts for some 20 s. */
export const BOUNDS: SearchFeedBounds = {
  pollMs: 1000,
  idlePollMs: 1000,
  lookMs: 5000,
  sweepMs: 20_000,
  confirmAfterMs: 2 * LIFETIME_MS,
  leaseMs: 5000,
  sealMs: 3000,
};

export function feedPartsOf(
  stage: Stage,
  worker: Worker,
  projection: Projection,
  isAlone: boolean,
): SearchFeedParts {
  const { documents, search, planted, world, isBlind } = stage;
  const connected = { documents: connectDocuments(documents, worker), search: connectSearch(search, worker) };
  const leased = isAlone ? withLeaseOf(worker, connected.documents) : connected.documents;
  return {
    projection,
    ...blinded(isBlind, {
      documents: planted.fedFrom?.(leased) ?? leased,
      search: planted.search?.(connected.search) ?? connected.search,
    }),
    clock: planted.clock?.(worker.clock) ?? worker.clock,
    logger: LOGGER,
    random: () => world.random(),
    nonce: () => world.nonce(),
    owner: world.owner(),
    bounds: BOUNDS,
  };
}

/** Where a worker that believes the index to be its own keeps the lease. */
export function leasesOf({ name }: Worker): string {
  return `leases of ${name}`;
}

/** The documents as they are seen beside a worker: with its leases. */
function heard({ documents }: Stage, { worker, isAlone }: Actor, watcher: Worker): Documents {
  const connected = connectDocuments(documents, watcher);
  return isAlone ? withLeaseOf(worker, connected) : connected;
}

function withLeaseOf(worker: Worker, documents: Documents): Documents {
  const own = (collection: string): string =>
    collection === FEED_LEASES.name ? leasesOf(worker) : collection;
  return {
    ...documents,
    declare: (spec) => documents.declare({ ...spec, name: own(spec.name) }),
    get: (collection, ids, options) => documents.get(own(collection), ids, options),
    write: (collection, writes) => documents.write(own(collection), writes),
  };
}

type FedStores = Pick<SearchFeedParts, 'documents' | 'search'>;

/** Sweeps see neither documents nor entries, and so no difference. */
function blinded(isBlind: boolean, { documents, search }: FedStores): FedStores {
  if (!isBlind) return { documents, search };
  const nothing = async function* (): AsyncGenerator<never> {};
  return { documents: { ...documents, scan: nothing }, search: { ...search, contents: nothing } };
}

/** Ends the run with the first thing that the watch has found. */
export function failIfBroken({ broken: [first] }: Stage): void {
  if (first instanceof BrokenPromise) throw first;
  if (first) throw new BrokenPromise(`unexpected: ${first.message}`, { cause: first });
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
