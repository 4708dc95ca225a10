import { backoff } from '../../platform/time/backoff.ts';
import { claimLane, guardCheckpoint, type GuardedCheckpoint } from './guarded-checkpoint.ts';
import { isStillOurs, type LaneContext } from './lane-context.ts';
import { readLaneFit, sayHalted } from './lane-failures-and-halts.ts';
import type { Fit } from './log-fit.ts';
import { StoppedError } from './retry.ts';

/** The pause before the second time that a lane is claimed back; the first time is at once. In milliseconds. */
const FIRST_TRUCE_MS = 1000;
/** Two workers that claim a lane from each other do so at growing intervals, up to this, in milliseconds. */
const LONGEST_TRUCE_MS = 30_000;
/** A lane that has not been lost for so long starts again with those. */
const CALM_MS = 60_000;

/**
 * So long after its start a worker accepts the gaps that it was told to: a lane that it takes over from another one later may
 * have a gap that nobody has seen. In milliseconds.
 */
const ACCEPTING_MS = 120_000;

/** Claims a lane, and finds out whose it is where another worker has claimed it. */
export function createLaneClaims(context: LaneContext) {
  const { lane, name, watch, retry, signal } = context;
  const { documents, logger, clock, random = Math.random } = context.parts;
  const { owner, acceptable, startedAt, gate } = context.surroundings;
  let losses = 0;
  let lostAt = Number.NEGATIVE_INFINITY;

  return {
    /** null where the lane has halted. */
    async claim(): Promise<GuardedCheckpoint | null> {
      watch.claiming(null);
      let uncompared: Fit['uncompared'] = null;
      const claim = await retry('claiming a lane', () =>
        claimLane(documents, lane, {
          owner,
          fit: async (checkpoint) => {
            const fit = await readLaneFit(context, checkpoint);
            uncompared = fit.uncompared;
            return fit;
          },
          acceptGap: acceptable.has(name) && clock.monotonic() - startedAt < ACCEPTING_MS,
          signal,
        }),
      );
      if (claim.outcome === 'halted') {
        sayHalted(context, claim.halt);
        return null;
      }
      // After the claim: who switches builds has either seen it, or stands in the alias as this worker now reads it.
      await retry('reading the alias', () => gate.look(lane.readModel));
      const { position, epoch, last } = claim.held.checkpoint;
      // An acceptance is for the gap that the operator has seen, if there still is one, and not for the next one.
      acceptable.delete(name);
      if (claim.accepted) logger.warn({ lane: name, halt: claim.accepted, position }, 'a gap was accepted');
      if (uncompared !== null && !claim.accepted)
        logger.warn(
          { lane: name, position: last?.position, found: uncompared },
          'the last record cannot be compared with the log: the lane goes on',
        );
      logger.debug({ lane: name, position, epoch }, 'lane claimed');
      watch.running();
      return guardCheckpoint(documents, claim.held);
    },

    /** Takes in that another worker has claimed the lane that this one held. */
    lost(): void {
      logger.info({ lane: name }, 'lane lost: another worker has claimed it');
      const now = clock.monotonic();
      if (now - lostAt > CALM_MS) losses = 0;
      lostAt = now;
      losses += 1;
    },

    /** Asks the group whose the lane is. Resolves where it is still this worker's. @throws {StoppedError} where it is not. */
    async regain(): Promise<void> {
      watch.claiming('another worker has claimed it');
      // The first time at once: it was a late claim of somebody who has lost the partition. Then both believe in theirs.
      if (losses > 1)
        await clock.sleep(Math.round(backoff(losses - 1, FIRST_TRUCE_MS, LONGEST_TRUCE_MS, random)), signal);
      if (!(await isStillOurs(context))) throw new StoppedError('the partition was taken away');
    },
  };
}
