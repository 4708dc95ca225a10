import { backoff } from '../../platform/backoff.ts';
import type { Clock } from '../../platform/clock.ts';
import { messageOf } from '../../platform/errors.ts';
import type { Logger } from '../../platform/logger.ts';
import { readBuild } from '../../stores/builds.ts';
import { readAlias, type LiveAlias } from '../../stores/live.ts';
import { collectionOf, type Projection } from '../engine/projection.ts';
import type { Pace } from '../engine/pacing.ts';
import { cutOver, type CutOverParts } from './cut-over.ts';
import { firstLane } from './lanes.ts';
import { mayGoUp } from './switching.ts';

/*
 * Cutting over without an operator. Of a build of a higher version than the live one:
 *
 *   under way --it has caught up, its index is filled--> complete --it is verified, and every server can render it--> live
 *   complete --anything is in the way--> said once, and tried again after a minute or more
 *
 * Never downwards, and never away from a build that somebody has gone back to. Of several projectors the one that has the
 * build's first lane does it; where two believe that, the pause in the alias lets one of them through.
 */

export interface AutoCutOverParts extends Omit<CutOverParts, 'signal'> {
  readonly logger: Logger;
  /** The builds that are projected here: asked at each look. */
  readonly builds: readonly Projection[];
  /** Whether this projector has a lane, and runs it. */
  readonly isRunning: (lane: string) => boolean;
  /** How a verification leaves readers the machine. Default: nobody is served in this process. */
  readonly pace?: Pace | undefined;
  /** How often it looks, in milliseconds. Default 2 s. */
  readonly lookMs?: number;
}

const LOOK_MS = 2000;
/** The waits after failures, in milliseconds: doubled each time. */
const FIRST_WAIT_MS = 60_000;
const LONGEST_WAIT_MS = 900_000;

interface Failed {
  readonly reason: string;
  readonly failures: number;
  /** By the monotonic clock. */
  readonly notBefore: number;
}

export function startAutoCutOver(parts: AutoCutOverParts): AsyncDisposable {
  const { documents, clock, logger, lookMs = LOOK_MS } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  const failed = new Map<string, Failed>();
  const restHalf = restingHalf(clock, signal);
  const rest = async (): Promise<void> => {
    await restHalf();
    await parts.pace?.rest(signal);
  };
  const work: CutOverParts = { ...parts, signal, rest };

  async function run(): Promise<void> {
    for (;;) {
      await clock.sleep(lookMs, signal);
      if (signal.aborted) return;
      for (const name of new Set(parts.builds.map((build) => build.name))) {
        try {
          const target = await next(name);
          if (target) await attempt(target);
        } catch (thrown) {
          logger.debug({ readModel: name, reason: messageOf(thrown) }, 'builds could not be looked at');
        }
      }
    }
  }

  /** The build that is to become live; null where none is. */
  async function next(name: string): Promise<Projection | null> {
    const alias = await readAlias(documents, name);
    if (!alias || alias.pause) return null;
    const [target] = candidates(alias, parts.builds);
    if (!target || !parts.isRunning(firstLane(target, parts.topicName))) return null;
    const build = collectionOf(target);
    if (clock.monotonic() < (failed.get(build)?.notBefore ?? 0)) return null;
    return (await readBuild(documents, build))?.completed_at ? target : null;
  }

  async function attempt(target: Projection): Promise<void> {
    const build = collectionOf(target);
    try {
      const done = await cutOver(work, { target, isRollback: false, isAutomatic: true });
      if (done.outcome === 'given_up') return fail(build, done.reason);
      failed.delete(build);
      logger.info({ build, from: done.from, announced: done.announced }, 'build cut over to by itself');
    } catch (thrown) {
      if (!signal.aborted) fail(build, messageOf(thrown));
    }
  }

  function fail(build: string, reason: string): void {
    const before = failed.get(build);
    const failures = (before?.failures ?? 0) + 1;
    const waitMs = Math.round(backoff(failures, FIRST_WAIT_MS, LONGEST_WAIT_MS, Math.random));
    failed.set(build, { reason, failures, notBefore: clock.monotonic() + waitMs });
    if (before?.reason !== reason)
      logger.warn({ build, reason, waitMs }, 'build not cut over to; tried again');
  }

  const running = run();
  return {
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await running;
    },
  };
}

/** Of a higher version than the live build, the highest first; of one version, the one that was begun last. */
function candidates(alias: LiveAlias, builds: readonly Projection[]): readonly Projection[] {
  return alias.beside
    .flatMap((build) => builds.find((one) => collectionOf(one) === build) ?? [])
    .filter((build) => mayGoUp(alias, collectionOf(build)))
    .reverse()
    .toSorted((a, b) => b.version - a.version);
}

/** Rests for as long as it has worked: the lanes of this thread have at least every other moment. */
function restingHalf(clock: Clock, signal: AbortSignal): () => Promise<void> {
  let since = clock.monotonic();
  return async () => {
    const workedMs = Math.min(clock.monotonic() - since, LONGEST_REST_MS);
    await clock.sleep(Math.max(1, workedMs), signal);
    since = clock.monotonic();
  };
}

const LONGEST_REST_MS = 250;
