import { noteLag } from '../../stores/lag.ts';
import { collectionOf } from '../engine/projection.ts';
import { lagAge, type LaneProgress, type ProgressParts } from '../inspect/progress.ts';

/** A little less than the time between two looks, so that each look of a lone projector is reported. */
const INTERVAL_MS = 2500;

/**
 * Tells the processes that serve how far each read model is behind the log (src/stores/lag.ts). Any number of projectors report,
 * each of them for all lanes, also those of others. `now` is when the look began, by the clock of the documents store.
 */
export async function reportLags(
  { log, documents, projections }: Pick<ProgressParts, 'log' | 'documents' | 'projections'>,
  lanes: readonly LaneProgress[],
  now: number,
  signal: AbortSignal,
): Promise<void> {
  for (const build of projections.map(collectionOf)) {
    const measure = async (): Promise<number> => {
      const ages: number[] = [];
      for (const lane of lanes)
        if (lane.readModel === build)
          ages.push((await lagAge(log, lane, now, signal)) ?? ageOfNothing(lane, now));
      return Math.max(0, ...ages);
    };
    await noteLag(documents, build, { at: now, notWithinMs: INTERVAL_MS, measure });
  }
}

/** What a halted lane has not read may be gone from the log: nobody knows since when it is behind. */
function ageOfNothing({ halted }: LaneProgress, now: number): number {
  return halted ? now : 0;
}
