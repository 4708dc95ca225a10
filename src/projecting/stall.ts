import type { LaneProgress } from './progress.ts';
import { laneName } from './lane.ts';

/** How long a lane may stand still while its log moves on, in milliseconds: with the looks, 15 s at most. */
export const STALL_MS = 10_000;

/** Finds lanes that are behind and do not move: the one honest sign of a stall, whatever a client library says. */
export interface StallDetector {
  /** Takes in the latest progress and returns the names of the lanes that have stood still for too long. */
  observe(lanes: readonly LaneProgress[], now: number): readonly string[];
}

export function createStallDetector(stallMs: number = STALL_MS): StallDetector {
  const waiting = new Map<string, { readonly position: number | null; readonly since: number }>();
  return {
    observe: (lanes, now) => {
      const stalled: string[] = [];
      for (const lane of lanes) {
        const name = laneName(lane);
        const before = waiting.get(name);
        if (lane.lag === 0) {
          waiting.delete(name);
        } else if (!before || before.position !== lane.position) {
          waiting.set(name, { position: lane.position, since: now });
        } else if (now - before.since >= stallMs) {
          stalled.push(name);
        }
      }
      return stalled;
    },
  };
}
