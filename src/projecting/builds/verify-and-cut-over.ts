import { setImmediate as nextTurn } from 'node:timers/promises';

import { beginVerification, readBuild } from '../../stores/builds.ts';
import { readAlias, type LiveAlias } from '../../stores/aliases.ts';
import type { Search } from '../../stores/search/port.ts';
import { collectionOf, indexOf, type Projection } from '../engine/projection.ts';
import { describeForgotten, forgottenPartitions } from '../replay/history.ts';
import type { FoldParts } from '../inspect/log-fold.ts';
import { verifySearch } from '../inspect/search-verify.ts';
import { verifyProjection } from '../inspect/verify.ts';
import { finishRedrives, type RedriveEverywhereParts } from './redrive-in-builds.ts';
import { carryDiscards } from './carry-parked-to-build.ts';
import { describeObstacle, obstacleTo } from './switch-obstacles.ts';
import { switchBuild, type SwitchParts, type SwitchResult, mayGoUp } from './switch-build.ts';
import { messageOf } from '../../platform/errors.ts';
import type { BuildThrottle } from '../engine/build-throttle.ts';
import { type BuildWork, repeatForBuilds } from './repeat-for-builds.ts';

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

/** @throws {StoppedError} where the signal was aborted during the verification. */
export async function cutOver(
  parts: CutOverParts,
  { target, isRollback, isAutomatic = false }: CutOver,
): Promise<SwitchResult> {
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
  const { ok, digest, findings } = await verifyProjection(target, parts);
  const [first] = findings;
  if (!ok) return `${name} differs from the log: ${first?.where}: ${first?.problem}`;
  if (indexOf(target) !== null) {
    const { search, signal } = parts;
    const found = await verifySearch(target, { documents: parts.documents, search, signal });
    const [entry] = found.findings;
    if (!found.ok) return `the index ${name} differs from the documents: ${entry?.where}: ${entry?.problem}`;
  }
  // Where it was changed by hand meanwhile nothing is noted, and a switch finds that out in its pause.
  await noteVerified(digest);
  return null;
}

/*
 * Cutting over without an operator. Of a build of a higher version than the live one:
 *
 *   under way --it has caught up, its index is filled--> complete --it is verified, and every server can render it--> live
 *   complete --anything is in the way--> said once, and tried again after some minutes
 *
 * Never downwards, and never away from a build that somebody has gone back to. Of several projectors the one that has the
 * build's first lane does it; where two believe that, the pause in the alias lets one of them through.
 */

interface AutoCutOverParts extends Omit<CutOverParts, 'signal'>, BuildWork {
  /** How a verification leaves readers the machine. Default: nobody is served in this process. */
  readonly throttle?: BuildThrottle | undefined;
  /** How often it looks, in milliseconds. Default 2 s. */
  readonly lookMs?: number;
}

const LOOK_MS = 2000;
/** Between two attempts at one build, in milliseconds: each verifies it. */
const WAIT_MS = 300_000;

export function startAutoCutOver(parts: AutoCutOverParts): AsyncDisposable {
  const { documents, clock, logger, throttle, lookMs = LOOK_MS } = parts;
  /** By build: why it could not be made live, and when that was, by the monotonic clock. */
  const failed = new Map<string, { readonly reason: string; readonly at: number }>();

  async function isNext(target: Projection): Promise<boolean> {
    const alias = await readAlias(documents, target.name);
    if (!alias || alias.pause || candidates(alias, parts.builds)[0] !== target) return false;
    const build = collectionOf(target);
    if (clock.monotonic() - (failed.get(build)?.at ?? Number.NEGATIVE_INFINITY) < WAIT_MS) return false;
    return Boolean((await readBuild(documents, build))?.completed_at);
  }

  async function attempt(target: Projection, signal: AbortSignal): Promise<void> {
    const build = collectionOf(target);
    const rest = async (): Promise<void> => (throttle ? throttle.rest(signal) : nextTurn());
    const reason = await cutOver({ ...parts, signal, rest }, { target, isRollback: false, isAutomatic: true })
      .then((done) => {
        if (done.outcome === 'given_up') return done.reason;
        logger.info({ build, from: done.from }, 'build cut over to by itself');
        return null;
      })
      .catch(messageOf);
    if (reason === null || signal.aborted) return;
    if (failed.get(build)?.reason !== reason)
      logger.warn({ build, reason, waitMs: WAIT_MS }, 'build not cut over to; tried again');
    failed.set(build, { reason, at: clock.monotonic() });
  }

  return repeatForBuilds(
    parts,
    lookMs,
    async (build, signal) => {
      if (await isNext(build)) await attempt(build, signal);
    },
    (what) => logger.debug(what, 'builds could not be looked at'),
  );
}

/** Of a higher version than the live build, the highest first; of one version, the one that was begun last. */
function candidates(alias: LiveAlias, builds: readonly Projection[]): readonly Projection[] {
  return alias.beside
    .flatMap((build) => builds.find((one) => collectionOf(one) === build) ?? [])
    .filter((build) => mayGoUp(alias, collectionOf(build)))
    .reverse()
    .toSorted((a, b) => b.version - a.version);
}
