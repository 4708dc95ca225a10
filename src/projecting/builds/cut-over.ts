import { beginVerification, readBuild } from '../../stores/builds.ts';
import { readAlias } from '../../stores/aliases.ts';
import type { Search } from '../../stores/search/port.ts';
import { collectionOf, indexOf, type Projection } from '../engine/projection.ts';
import { describeForgotten, forgottenPartitions } from '../inspect/forgotten-partitions.ts';
import type { FoldParts } from '../inspect/log-fold.ts';
import { verifySearch } from '../inspect/search-verify.ts';
import { verifyProjection } from '../inspect/verify.ts';
import { finishRedrives, type RedriveEverywhereParts } from './redrive-in-builds.ts';
import { carryDiscards } from './parked-in-builds.ts';
import { describeObstacle, obstacleTo } from './obstacles.ts';
import { switchBuild, type SwitchParts, type SwitchResult } from './switch-build.ts';

/**
 * Cut-over and rollback: what has to be true of a build before it becomes live, the switch, and what follows from it.
 * Repeating it after a failure is safe at every point.
 */
export interface CutOverParts extends FoldParts, SwitchParts, RedriveEverywhereParts {
  readonly search: Search;
}

interface CutOver {
  /** Of a build that stands beside the live one. */
  readonly target: Projection;
  /** A rollback: to a build that was live before, and nothing cuts over by itself after it. */
  readonly isRollback: boolean;
  /** See `Switch`. */
  readonly isAutomatic?: boolean;
}

type CutOverOutcome =
  | Extract<SwitchResult, { outcome: 'switched' }>
  | (Extract<SwitchResult, { outcome: 'given_up' }> & {
      /** Whether another attempt would find the same. Default: what it waits for may come. */
      readonly isFinal?: true;
    });

/** @throws {StoppedError} where the signal was aborted during the verification. */
export async function cutOver(
  parts: CutOverParts,
  { target, isRollback, isAutomatic = false }: CutOver,
): Promise<CutOverOutcome> {
  const { documents } = parts;
  const build = collectionOf(target);
  await finishRedrives(parts, target.name);
  const obstacle = await obstacleTo(documents, build);
  if (obstacle !== null) return { outcome: 'given_up', reason: describeObstacle(build, obstacle) };
  // What readers have seen before needs no proof, and going back has to be quick.
  const isProven = isRollback || (await readBuild(documents, build))?.verified !== undefined;
  const difference = isProven ? null : await verifyBuild(parts, target);
  if (difference !== null) return { outcome: 'given_up', reason: difference, isFinal: true };
  const loss = isAutomatic ? await lossBy(parts, target) : null;
  if (loss !== null) return { outcome: 'given_up', reason: loss };
  const live = (await readAlias(documents, target.name))?.collection ?? null;
  if (live !== null) await carryDiscards(documents, live, build);
  return await switchBuild(parts, {
    name: target.name,
    target: build,
    index: indexOf(target),
    pinned: isRollback,
    isAutomatic,
    mustBeVerified: !isRollback,
  });
}

/**
 * What only the live build still knows, one line; null where it is nothing. A log that was cut is verified as far as it
 * reaches: whether readers may lose the rest is for a person to decide.
 */
async function lossBy(parts: CutOverParts, target: Projection): Promise<string | null> {
  const { documents } = parts;
  const cut = describeForgotten(await forgottenPartitions(parts, target));
  const live = (await readAlias(documents, target.name))?.collection;
  if (cut === null || live === undefined) return null;
  const count = async (build: string): Promise<number> =>
    (await documents.count(build, { where: {}, by: [] }))[0]?.count ?? 0;
  const [known, made] = [await count(live), await count(collectionOf(target))];
  if (made >= known) return null;
  return `${cut}, and ${collectionOf(target)} has ${made} documents where ${live} has ${known}: cut over by hand`;
}

/** Compares a build with the log and its index with it, and notes that they are equal. Returns what differs; null if nothing. */
export async function verifyBuild(
  parts: FoldParts & Pick<CutOverParts, 'search'>,
  target: Projection,
): Promise<string | null> {
  const name = collectionOf(target);
  const noteVerified = await beginVerification(parts.documents, name);
  const { ok, digest, documents, findings } = await verifyProjection(target, parts);
  const [first] = findings;
  if (!ok) return `${name} differs from the log: ${first?.where}: ${first?.problem}`;
  if (indexOf(target) !== null) {
    const { search, signal } = parts;
    const found = await verifySearch(target, { documents: parts.documents, search, signal });
    const [entry] = found.findings;
    if (!found.ok) return `the index ${name} differs from the documents: ${entry?.where}: ${entry?.problem}`;
  }
  // Where it was changed by hand meanwhile nothing is noted, and a switch finds that out in its pause.
  await noteVerified({ digest, documents });
  return null;
}
