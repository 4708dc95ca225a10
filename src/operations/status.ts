import { asLanes, everyBuild, type StandingBuild } from '../projecting/builds/standing-builds.ts';
import type { Parts } from '../compose/parts.ts';
import { REJECTED } from '../events/types.ts';
import type { Finding } from '../findings/finding.ts';
import { instantAt, toInstant, type Instant } from '../platform/time/instant.ts';
import { announcementTrouble } from '../projecting/engine/announcements.ts';
import { laneName } from '../projecting/engine/lane.ts';
import { readOwners, type LiveOwner } from '../projecting/health/owners.ts';
import { countParked, oldestParked } from '../projecting/engine/parked-events.ts';
import {
  lagAge,
  readProgress,
  waitsForTransaction,
  type LaneProgress,
} from '../projecting/inspect/progress.ts';
import { readSearchProgress, type SearchProgress } from '../projecting/inspect/search-progress.ts';
import { parseBuildName, readBuild } from '../stores/builds.ts';
import type { Documents } from '../stores/documents/port.ts';
import { lagAt, readLag } from '../stores/lag.ts';
import { readFeedLease } from '../stores/feed-lease.ts';
import { readAlias } from '../stores/aliases.ts';
import { documentsWithMark, type OutboxDocument } from '../stores/outbox.ts';
import { isRestored } from '../stores/origins.ts';
import { SILENT_MS } from '../stores/heartbeats.ts';
import type { Worker } from '../stores/workers.ts';
import { readVerification } from './act-notes.ts';
import { findingsOf } from './findings.ts';

/** What `status` knows, in the names in which scripts get it. */
export interface StatusReport {
  /** When it was read, by the clock of the documents store. */
  readonly at: Instant;
  /** What is late, stuck or waiting, and why: the most urgent first. */
  readonly findings: readonly Finding[];
  readonly read_models: readonly ReadModelStatus[];
  /** Projectors that were heard of lately. */
  readonly workers: readonly WorkerStatus[];
  /** Whether the documents were restored by the store's own tools since all of them were verified. */
  readonly verification_due: boolean;
  /** When the last verification on an operator page found a difference in a build that is live; null where it found none. */
  readonly differs_since: Instant | null;
  /** Parked events that wait for a decision. */
  readonly parked: number;
  /** When the one that waits longest was parked. */
  readonly parked_since: Instant | null;
  readonly parked_by: readonly ParkedGroup[];
  readonly rejections: RejectionsStatus;
  readonly search: readonly SearchStatus[];
  readonly lanes: readonly LaneStatus[];
}

export interface RejectionsStatus {
  /** Whether this deployment announces rejected events to upstream (`CATALOG_REJECTIONS`). */
  readonly announced: boolean;
  /** What keeps it from that; null where nothing does. */
  readonly trouble: string | null;
}

/** One build of a read model. */
export interface ReadModelStatus {
  /** `listings@1` */
  readonly read_model: string;
  /** The build that is served under its name; null before the first start. */
  readonly live: string | null;
  /** Whether nothing but an explicit cut-over makes another build live: after a rollback. */
  readonly pinned: boolean;
  /** Whether this release has its fold: without it, nothing here compares or redrives what it holds. */
  readonly folded: boolean;
  readonly documents: number;
  /** Records that are in the log and not yet in the documents. */
  readonly lag: number;
  /** How long the oldest of those has been waiting, in milliseconds; null without any. */
  readonly lag_ms: number | null;
  /** When it was complete for the first time: caught up with the log, its index filled; null where it never was. */
  readonly completed_at: string | null;
  /** When its projectors noted what there was to read; null before that. */
  readonly began_at: string | null;
  /** Whether a projector has been heard of lately. */
  readonly projected: boolean;
  /** When one was last heard of; null where none ever was. */
  readonly heard_of_at: string | null;
}

/** `where`: `host:pid`. `ready` and `detail`: as its `/readyz` says. */
export type WorkerStatus = ReturnType<typeof workerStatus>;

export interface ParkedGroup {
  readonly read_model: string;
  readonly topic: string;
  readonly code: string;
  readonly count: number;
}

export interface SearchStatus extends SearchProgress {
  /** The first of those that are refused. */
  readonly refusals: readonly { readonly document: string; readonly reason: string }[];
}

export interface LaneStatus {
  readonly lane: string;
  /** The worker that has claimed it last; null before the first. Its epoch is how often it was claimed. */
  readonly owner: string | null;
  readonly epoch: number;
  /** What the live projector that the lane is assigned to says of it; null where none speaks of it. */
  readonly live: LaneWord | null;
  /** True where everything that can be read is read, and an open transaction keeps back the rest. */
  readonly waits_for_transaction: boolean;
  readonly position: number | null;
  readonly earliest: number;
  readonly latest: number;
  readonly lag: number;
  readonly lag_ms: number | null;
  readonly halted: LaneProgress['halted'];
  readonly counts: NonNullable<LaneProgress['checkpoint']>['counts'] | null;
}

/** `for_ms`: how long it has been in that state, in milliseconds. */
export type LaneWord = NonNullable<ReturnType<typeof wordOf>>;

/** `seesLog`: false for a process that has no access to the log; then lanes are empty, and lag is what projectors have said. */
export async function readStatus(
  parts: Parts,
  signal: AbortSignal,
  { seesLog = true }: { readonly seesLog?: boolean } = {},
): Promise<StatusReport> {
  const { documents } = parts;
  const builds = await everyBuild(parts);
  const projections = await Promise.all(builds.map((build) => asLanes(parts, build)));
  const { topicName } = parts;
  const progress = seesLog ? await readProgress({ log: parts.log, documents, topicName, projections }) : [];
  const now = await documents.now();
  const owners = await readOwners(documents, now);
  const lanes: LaneStatus[] = [];
  for (const lane of progress)
    lanes.push(laneStatus(lane, await lagAge(parts.log, lane, now, signal), wordOf(owners.of(lane), now)));
  const read_models: ReadModelStatus[] = [];
  for (const build of builds) {
    const own = lanes.filter((_, index) => progress[index]?.readModel === build.build);
    read_models.push(await readModelStatus(documents, build, own, now));
  }
  const parked_by = (await countParked(documents)).map(({ readModel: read_model, ...group }) => ({
    read_model,
    ...group,
  }));
  const known = {
    at: instantAt(now),
    read_models,
    workers: [...owners.alive.values()].map((worker) => workerStatus(worker)),
    verification_due: await isRestored(documents),
    differs_since: await readDiffersSince(documents, builds),
    parked: parked_by.reduce((sum, { count }) => sum + count, 0),
    parked_since: instantOf((await oldestParked(documents, 1))[0]?.body.parkedAt),
    parked_by,
    rejections: await readRejections(parts),
    search: await readSearch(documents, builds, now),
    lanes,
  };
  return { findings: findingsOf(known), ...known };
}

async function readRejections({ config, documents, topicName }: Parts): Promise<RejectionsStatus> {
  if (config.rejections === 'off') return { announced: false, trouble: null };
  const trouble = await announcementTrouble(documents, topicName(REJECTED));
  return { announced: trouble === null, trouble };
}

async function readDiffersSince(
  documents: Documents,
  builds: readonly StandingBuild[],
): Promise<Instant | null> {
  const { ended } = await readVerification(documents);
  const { results = [], indexes = [] } = ended?.report ?? {};
  const differing = [
    ...results.map(({ readModel, problems }) => ({ build: readModel, problems })),
    ...indexes.map((one) => ({ build: one.index, problems: 'problems' in one ? one.problems : 0 })),
  ].filter(({ problems }) => problems > 0);
  const isSeen = builds.some(({ build, isLive }) => isLive && differing.some((one) => one.build === build));
  return ended && isSeen ? ended.at : null;
}

function wordOf(live: LiveOwner | null, now: number) {
  if (live === null) return null;
  const { where, state, since, reason } = live;
  // It may have begun after the clock was read.
  return { where, state, for_ms: Math.max(0, now - since), reason };
}

function workerStatus({ where, ok, detail, lanes, at }: Worker) {
  return { where, ready: ok, detail, lanes: Object.keys(lanes).length, heard_of_at: toInstant(at) };
}

function laneStatus(lane: LaneProgress, lag_ms: number | null, live: LaneWord | null): LaneStatus {
  const { position, earliest, latest, lag, halted, checkpoint } = lane;
  return {
    lane: laneName(lane),
    owner: checkpoint?.owner ?? null,
    epoch: checkpoint?.epoch ?? 0,
    live,
    waits_for_transaction: waitsForTransaction(lane),
    position,
    earliest,
    latest,
    lag,
    lag_ms,
    halted,
    counts: checkpoint?.counts ?? null,
  };
}

async function readModelStatus(
  documents: Documents,
  { readModel, build: read_model, projection }: StandingBuild,
  lanes: readonly LaneStatus[],
  now: number,
): Promise<ReadModelStatus> {
  const alias = await readAlias(documents, readModel);
  const [all] = await documents.count(read_model, { where: {}, by: [] });
  const said = await readLag(documents, read_model);
  const silentFor = said === null ? Infinity : lagAt({ ...said, lag_ms: 0 }, now);
  const build = await readBuild(documents, read_model);
  const ages = lanes.flatMap(({ lag_ms }) => (lag_ms === null ? [] : [lag_ms]));
  return {
    read_model,
    live: alias?.collection ?? null,
    pinned: alias?.pinned ?? false,
    folded: projection !== null,
    documents: all?.count ?? 0,
    lag: lanes.reduce((sum, lane) => sum + lane.lag, 0),
    lag_ms: lanes.length > 0 ? greatest(ages) : said && lagAt(said, now),
    completed_at: instantOf(build?.completed_at),
    began_at: instantOf(build?.began_at),
    projected: silentFor < SILENT_MS,
    heard_of_at: instantOf(said?.at),
  };
}

function instantOf(ms: number | null | undefined): Instant | null {
  return ms === null || ms === undefined ? null : toInstant(ms);
}

function greatest(ages: readonly number[]): number | null {
  return ages.length > 0 ? Math.max(...ages) : null;
}

/** Listed at most. */
const REFUSALS = 20;

async function readSearch(
  documents: Documents,
  builds: readonly StandingBuild[],
  now: number,
): Promise<readonly SearchStatus[]> {
  const found: SearchStatus[] = [];
  for (const { build, projection } of builds) {
    const named = parseBuildName(build);
    // Without the fold, a feeder that has ever been there tells that it is searched.
    const isSearched = projection
      ? projection.searchEntry !== undefined
      : (await readFeedLease(documents, build)) !== null;
    if (!named || !isSearched) continue;
    const progress = await readSearchProgress(named, documents, now);
    const refusals = progress.refused > 0 ? await readRefusals(documents, build) : [];
    found.push({ ...progress, refusals });
  }
  return found;
}

async function readRefusals(documents: Documents, collection: string): Promise<SearchStatus['refusals']> {
  for await (const page of documentsWithMark<OutboxDocument>(documents, collection, 'refused')) {
    return page.slice(0, REFUSALS).map(({ id, body: { dirty } }) => ({
      document: id,
      reason: dirty?.mark === 'refused' ? dirty.reason : '',
    }));
  }
  return [];
}
