import { asLanes, everyBuild, type StandingBuild } from '../projecting/builds/builds-by-fold.ts';
import type { Parts } from '../compose/parts.ts';
import { messageOf, PermanentError, RetryableError, UsageError } from '../platform/errors.ts';
import { laneName } from '../projecting/engine/lane.ts';
import {
  collectionOf,
  indexOf,
  searchedProjections,
  type Projection,
} from '../projecting/engine/projection.ts';
import { readOwners } from '../projecting/health/lane-owners.ts';
import { readProgress, waitsForTransaction } from '../projecting/inspect/lane-progress.ts';
import { acceptOrigins, isRestored } from '../stores/restore-detection.ts';
import { verifySearch, type SearchVerification } from '../projecting/inspect/search-verify.ts';
import { verifyProjection, type Verification } from '../projecting/inspect/verify.ts';

/** What came of a verification of documents against the log, and of search indexes against the documents. */
export interface VerifyReport {
  /** Nothing differs, and nothing that readers see waits for somebody to do something. */
  readonly ok: boolean;
  readonly results: readonly Verification[];
  readonly indexes: readonly IndexVerification[];
  readonly uncompared: readonly ComparisonGap[];
  /** Builds that this release does not have the fold of. */
  readonly unfolded: readonly string[];
}

/** A search engine that cannot be asked must not hide what was found out about the documents. */
export type IndexVerification =
  | SearchVerification
  | { readonly index: string; readonly ok: false; readonly error: string };

/** Records that are in the log and were not compared, because their lane has not consumed them. */
export interface ComparisonGap {
  readonly build: string;
  readonly lane: string;
  /** Positions of the log: [from, to). */
  readonly from: number;
  readonly to: number;
  /** `behind` alone passes by itself: somebody is at it, or a publisher has a transaction open. */
  readonly reason: 'halted' | 'no_owner' | 'behind' | 'open_transaction';
}

/** As it is told: the first and the last of those records. Positions are names of places, not amounts: without separators. */
export function gapPlaces({ from, to }: Pick<ComparisonGap, 'from' | 'to'>) {
  return { from: `${from}`, to: `${Math.max(from, to - 1)}` };
}

interface VerifyRequest {
  /** One build alone. */
  readonly build?: string | undefined;
  /** `total` is null where it is not known. */
  readonly onProgress: (what: string, done: number, total: number | null) => void;
}

/** @throws {UsageError} where there is no such build. Throws `StoppedError` where the signal was aborted. */
export async function verifyBuilds(
  parts: Parts,
  signal: AbortSignal,
  { build, onProgress }: VerifyRequest,
): Promise<VerifyReport> {
  const { log, documents, topicName, decode } = parts;
  const builds = chosenOf(await everyBuild(parts), build);
  const projections = builds.flatMap(({ projection }) => projection ?? []);
  const unfolded = builds.filter(({ projection }) => projection === null).map((one) => one.build);
  const results: Verification[] = [];
  for (const projection of projections) {
    const what = `records of ${collectionOf(projection)} folded`;
    const counted = (done: number, total: number): void => onProgress(what, done, total);
    const given = { log, documents, projections, topicName, decode, signal, onProgress: counted };
    results.push(await verifyProjection(projection, given));
  }
  const indexes: IndexVerification[] = [];
  for (const projection of searchedProjections(projections)) {
    const what = `entries of ${collectionOf(projection)} compared`;
    indexes.push(await verifyIndex(projection, parts, signal, (done) => onProgress(what, done, null)));
  }
  const uncompared = await readUncompared(parts, builds);
  // What only a build waits for that readers do not see is no fault, unless it was asked for.
  const counts = new Set(
    builds.filter(({ isLive }) => isLive || build !== undefined).map((one) => one.build),
  );
  const ok =
    [...results, ...indexes].every((result) => result.ok) &&
    !uncompared.some((lane) => counts.has(lane.build) && isStuck(lane)) &&
    !unfolded.some((one) => counts.has(one));
  return { ok, results, indexes, uncompared, unfolded };
}

/** After a report of all builds, once it was told: a restore is no longer due to be verified where all of it is right. */
export async function settleRestore(
  { documents }: Pick<Parts, 'documents'>,
  { ok }: VerifyReport,
): Promise<void> {
  if (ok && (await isRestored(documents))) await acceptOrigins(documents);
}

function chosenOf(builds: readonly StandingBuild[], build: string | undefined): readonly StandingBuild[] {
  if (build === undefined) return builds;
  const found = builds.filter((one) => one.build === build);
  if (found.length > 0) return found;
  const all = builds.map((one) => one.build).join(', ');
  throw new UsageError(`There is no build ${build}. There are ${all}.`);
}

async function verifyIndex(
  projection: Projection,
  { documents, search }: Parts,
  signal: AbortSignal,
  onProgress: (done: number) => void,
): Promise<IndexVerification> {
  try {
    return await verifySearch(projection, { documents, search, signal, onProgress });
  } catch (thrown) {
    if (!(thrown instanceof RetryableError || thrown instanceof PermanentError)) throw thrown;
    return { index: indexOf(projection) ?? projection.name, ok: false, error: messageOf(thrown) };
  }
}

/** What a verification just now could not look at. */
async function readUncompared(parts: Parts, builds: readonly StandingBuild[]) {
  const { log, documents, topicName } = parts;
  const projections = await Promise.all(builds.map((build) => asLanes(parts, build)));
  const owners = await readOwners(documents, await documents.now());
  return (await readProgress({ log, documents, topicName, projections })).flatMap(
    (lane): readonly ComparisonGap[] => {
      const owner = owners.of(lane);
      const isHalted = lane.halted !== null || owner?.state === 'halted';
      if (lane.lag === 0 && !isHalted) return [];
      const lagReason = waitsForTransaction(lane) ? 'open_transaction' : owner ? 'behind' : 'no_owner';
      const reason = isHalted ? 'halted' : lagReason;
      const from = lane.position ?? lane.earliest;
      const build = lane.readModel;
      return [{ build, lane: laneName(lane), from, to: Math.max(from, lane.latest), reason }];
    },
  );
}

/** Whether somebody has to do something before these records can be compared. */
function isStuck({ reason }: ComparisonGap): boolean {
  return reason === 'halted' || reason === 'no_owner';
}
