import { asLanes, everyBuild, type StandingBuild } from '../projecting/builds/builds-by-fold.ts';
import type { Parts } from '../compose/parts.ts';
import { REJECTED } from '../events/event-types.ts';
import type { Finding } from '../findings/finding.ts';
import { instantAt, toInstant } from '../platform/time/instant.ts';
import { announcementTrouble } from '../projecting/engine/rejection-announcement-trouble.ts';
import { laneName } from '../projecting/engine/lane.ts';
import { readOwners, type LiveOwner } from '../projecting/health/lane-owners.ts';
import { countParked, oldestParked } from '../projecting/engine/parked-queries.ts';
import {
  lagAge,
  readProgress,
  waitsForTransaction,
  type LaneProgress,
} from '../projecting/inspect/lane-progress.ts';
import { readSearchProgress, type SearchProgress } from '../projecting/inspect/search-progress.ts';
import { parseBuildName } from '../stores/build-names.ts';
import { readBuild } from '../stores/builds.ts';
import type { Documents } from '../stores/documents/port.ts';
import { lagAt, readLag } from '../stores/lag-notes.ts';
import { readFeedLease } from '../stores/feed-lease.ts';
import { readAlias } from '../stores/aliases.ts';
import { documentsWithMark, type OutboxDocument } from '../stores/outbox.ts';
import { isRestored } from '../stores/restore-detection.ts';
import { SILENT_MS } from '../stores/heartbeats.ts';
import { readVerification } from './act-log.ts';
import { findingsOf } from './findings.ts';
import { instantOf } from './list-builds.ts';

/** What `status` knows, in the names in which scripts get it. */
export interface StatusReport extends Facts {
  /** What is late, stuck or waiting, and why: the most urgent first. */
  readonly findings: readonly Finding[];
}

export type Facts = Awaited<ReturnType<typeof readFacts>>;
export type ReadModelStatus = Awaited<ReturnType<typeof readModelStatus>>;
export type LaneStatus = ReturnType<typeof laneStatus>;
export type SearchStatus = Facts['search'][number];
export type ParkedGroup = Facts['parked_by'][number];

/** `seesLog`: false for a process that has no access to the log; then lanes are empty, and lag is what projectors have said. */
export async function readStatus(
  parts: Parts,
  signal: AbortSignal,
  { seesLog = true }: { readonly seesLog?: boolean } = {},
): Promise<StatusReport> {
  const facts = await readFacts(parts, signal, seesLog);
  return { findings: findingsOf(facts), ...facts };
}

async function readFacts(parts: Parts, signal: AbortSignal, seesLog: boolean) {
  const { documents, topicName } = parts;
  const builds = await everyBuild(parts);
  const projections = await Promise.all(builds.map((build) => asLanes(parts, build)));
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
  const groups = await countParked(documents);
  return {
    /** When it was read, by the clock of the documents store. */
    at: instantAt(now),
    read_models,
    /** Projectors that were heard of lately. `where`: `host:pid`. `ready` and `detail`: as its `/readyz` says. */
    workers: [...owners.alive.values()].map(({ where, ok, detail, lanes: own, at }) => {
      return { where, ready: ok, detail, lanes: Object.keys(own).length, heard_of_at: toInstant(at) };
    }),
    /** Whether the documents were restored by the store's own tools since all of them were verified. */
    verification_due: await isRestored(documents),
    /** When the last verification on an operator page found a difference in a build that is live; null where it found none. */
    differs_since: await readDiffersSince(documents, builds),
    /** Parked events that wait for a decision. */
    parked: groups.reduce((sum, { count }) => sum + count, 0),
    /** When the one that waits longest was parked. */
    parked_since: instantOf((await oldestParked(documents, 1))[0]?.body.parkedAt),
    parked_by: groups.map(({ readModel: read_model, ...group }) => ({ read_model, ...group })),
    rejections: await readRejections(parts),
    search: await readSearch(documents, builds, now),
    lanes,
  };
}

/** Whether this deployment announces rejected events to upstream, and what keeps it from that; null where nothing does. */
async function readRejections({ config, documents, topicName }: Parts) {
  if (config.rejections === 'off') return { announced: false, trouble: null };
  const trouble = await announcementTrouble(documents, topicName(REJECTED));
  return { announced: trouble === null, trouble };
}

async function readDiffersSince(documents: Documents, builds: readonly StandingBuild[]) {
  const { ended } = await readVerification(documents);
  const { results = [], indexes = [] } = ended?.report ?? {};
  const differing = new Set([
    ...results.flatMap(({ readModel, problems }) => (problems > 0 ? readModel : [])),
    ...indexes.flatMap((one) => ('problems' in one && one.problems > 0 ? one.index : [])),
  ]);
  const isSeen = builds.some(({ build, isLive }) => isLive && differing.has(build));
  return ended && isSeen ? ended.at : null;
}

/** What the live projector that a lane is assigned to says of it. `for_ms`: how long it has been in that state. */
function wordOf(live: LiveOwner | null, now: number) {
  if (live === null) return null;
  const { where, state, since, reason } = live;
  // It may have begun after the clock was read.
  return { where, state, for_ms: Math.max(0, now - since), reason };
}

function laneStatus(lane: LaneProgress, lag_ms: number | null, live: ReturnType<typeof wordOf>) {
  const { position, earliest, latest, lag, halted, checkpoint } = lane;
  return {
    lane: laneName(lane),
    /** The worker that has claimed it last; null before the first. Its epoch is how often it was claimed. */
    owner: checkpoint?.owner ?? null,
    epoch: checkpoint?.epoch ?? 0,
    /** null where no live projector speaks of it. */
    live,
    /** True where everything that can be read is read, and an open transaction keeps back the rest. */
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

/** One build of a read model. */
async function readModelStatus(
  documents: Documents,
  { readModel, build: read_model, projection }: StandingBuild,
  lanes: readonly Pick<LaneStatus, 'lag' | 'lag_ms'>[],
  now: number,
) {
  const alias = await readAlias(documents, readModel);
  const [all] = await documents.count(read_model, { where: {}, by: [] });
  const said = await readLag(documents, read_model);
  const silentFor = said === null ? Infinity : lagAt({ ...said, lag_ms: 0 }, now);
  const build = await readBuild(documents, read_model);
  const ages = lanes.flatMap(({ lag_ms }) => lag_ms ?? []);
  const oldest = ages.length > 0 ? Math.max(...ages) : null;
  return {
    read_model,
    /** The build that is served under its name; null before the first start. */
    live: alias?.collection ?? null,
    /** Whether nothing but an explicit cut-over makes another build live: after a rollback. */
    pinned: alias?.pinned ?? false,
    /** Whether this release has its fold: without it, nothing here compares or redrives what it holds. */
    folded: projection !== null,
    documents: all?.count ?? 0,
    /** Records that are in the log and not yet in the documents. */
    lag: lanes.reduce((sum, lane) => sum + lane.lag, 0),
    /** How long the oldest of those has been waiting, in milliseconds; null without any. */
    lag_ms: lanes.length > 0 ? oldest : said && lagAt(said, now),
    /** When it was complete for the first time: caught up with the log, its index filled; null where it never was. */
    completed_at: instantOf(build?.completed_at),
    /** When its projectors noted what there was to read; null before that. */
    began_at: instantOf(build?.began_at),
    /** Whether a projector has been heard of lately. */
    projected: silentFor < SILENT_MS,
    /** When one was last heard of; null where none ever was. */
    heard_of_at: instantOf(said?.at),
  };
}

async function readSearch(documents: Documents, builds: readonly StandingBuild[], now: number) {
  const found: (SearchProgress & { readonly refusals: Awaited<ReturnType<typeof readRefusals>> })[] = [];
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

/** Listed at most. */
const REFUSALS = 20;

/** The first documents that are refused. */
async function readRefusals(documents: Documents, collection: string) {
  for await (const page of documentsWithMark<OutboxDocument>(documents, collection, ['refused']))
    return page.slice(0, REFUSALS).map(({ id, body: { dirty } }) => {
      return { document: id, reason: dirty?.mark === 'refused' ? dirty.reason : '' };
    });
  return [];
}
