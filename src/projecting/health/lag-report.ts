import type { Documents } from '../../stores/documents/port.ts';
import { noteLag } from '../../stores/lag.ts';
import type { LaneProgress } from '../inspect/progress.ts';

/** A little less than the time between two looks, so that each look of a lone projector is reported. */
const INTERVAL_MS = 2500;

/** A lane, and how long the oldest record has been in the log that it has not consumed; null where there is none. */
export type AgedLane = LaneProgress & { readonly age: number | null };

/**
 * Tells the processes that serve how far each read model is behind the log (src/stores/lag.ts). Any number of projectors report,
 * each of them for all lanes, also those of others. `now` is when the look began, by the clock of the documents store.
 */
export async function reportLags(
  documents: Documents,
  lanes: readonly AgedLane[],
  now: number,
): Promise<void> {
  for (const [build, own] of Map.groupBy(lanes, ({ readModel }) => readModel)) {
    // What a halted lane has not read may be gone from the log: nobody knows since when it is behind.
    const ages = own.map(({ age, halted }) => age ?? (halted ? now : 0));
    await noteLag(documents, build, { at: now, lag_ms: Math.max(0, ...ages) }, INTERVAL_MS);
  }
}
