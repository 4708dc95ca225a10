import { setImmediate as nextTurn } from 'node:timers/promises';

import { messageOf } from '../../platform/errors.ts';
import type { Logger } from '../../platform/logger.ts';
import { repeat } from '../../platform/time/repeat.ts';
import { readBuild } from '../../stores/builds.ts';
import { readAlias, type LiveAlias } from '../../stores/aliases.ts';
import { collectionOf, type Projection } from '../engine/projection.ts';
import type { Pace } from '../engine/pace.ts';
import { cutOver, type CutOverParts } from './cut-over.ts';
import { ownsFirstLane, type RunningLanes } from './build-lanes.ts';
import { mayGoUp } from './switch-build.ts';

/*
 * Cutting over without an operator. Of a build of a higher version than the live one:
 *
 *   under way --it has caught up, its index is filled--> complete --it is verified, and every server can render it--> live
 *   complete --anything is in the way--> said once, and tried again after some minutes
 *
 * Never downwards, and never away from a build that somebody has gone back to. Of several projectors the one that has the
 * build's first lane does it; where two believe that, the pause in the alias lets one of them through.
 */

export interface AutoCutOverParts extends Omit<CutOverParts, 'signal'>, RunningLanes {
  readonly logger: Logger;
  /** The builds that are projected here: asked at each look. */
  readonly builds: readonly Projection[];
  /** How a verification leaves readers the machine. Default: nobody is served in this process. */
  readonly pace?: Pace | undefined;
  /** How often it looks, in milliseconds. Default 2 s. */
  readonly lookMs?: number;
}

const LOOK_MS = 2000;
/** Between two attempts at one build, in milliseconds: each verifies it. */
const WAIT_MS = 300_000;

export function startAutoCutOver(parts: AutoCutOverParts): AsyncDisposable {
  const { documents, clock, logger, pace, lookMs = LOOK_MS } = parts;
  /** By build: why it could not be made live, and when that was, by the monotonic clock. */
  const failed = new Map<string, { readonly reason: string; readonly at: number }>();

  /** The build that is to become live; null where none is. */
  async function next(name: string): Promise<Projection | null> {
    const alias = await readAlias(documents, name);
    if (!alias || alias.pause) return null;
    const [target] = candidates(alias, parts.builds);
    if (!target || !ownsFirstLane(parts, target)) return null;
    const build = collectionOf(target);
    if (clock.monotonic() - (failed.get(build)?.at ?? Number.NEGATIVE_INFINITY) < WAIT_MS) return null;
    return (await readBuild(documents, build))?.completed_at ? target : null;
  }

  async function attempt(target: Projection, signal: AbortSignal): Promise<void> {
    const build = collectionOf(target);
    const rest = async (): Promise<void> => (pace ? pace.rest(signal) : nextTurn());
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

  return repeat(clock, lookMs, async (signal) => {
    for (const name of new Set(parts.builds.map((build) => build.name))) {
      try {
        const target = await next(name);
        if (target) await attempt(target, signal);
      } catch (thrown) {
        logger.debug({ readModel: name, reason: messageOf(thrown) }, 'builds could not be looked at');
      }
    }
  });
}

/** Of a higher version than the live build, the highest first; of one version, the one that was begun last. */
function candidates(alias: LiveAlias, builds: readonly Projection[]): readonly Projection[] {
  return alias.beside
    .flatMap((build) => builds.find((one) => collectionOf(one) === build) ?? [])
    .filter((build) => mayGoUp(alias, collectionOf(build)))
    .reverse()
    .toSorted((a, b) => b.version - a.version);
}
