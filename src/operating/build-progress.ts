import type { Pace } from './pace.ts';
import type { LaneStatus } from './status.ts';
import type { Version } from './versions.ts';

/** How far a build is through the log; all null where this process does not see the log. */
export interface BuildProgress {
  /** From 0 to 1: the share of the log that its lanes have consumed. */
  readonly share: number | null;
  /** Records that it has still to take in. */
  readonly left: number | null;
  /** Records a second, of late. */
  readonly rate: number | null;
  /** When it will have caught up at this pace, in milliseconds from now; null where it does not move, or has. */
  readonly left_ms: number | null;
}

/** `now` is the time of the documents store. */
export function buildProgress(
  { build, began_at }: Pick<Version, 'build' | 'began_at'>,
  lanes: readonly LaneStatus[],
  now: number,
  pace: Pace,
): BuildProgress {
  const own = lanes.filter(({ lane }) => lane.startsWith(`${build}/`));
  if (own.length === 0) return { share: null, left: null, rate: null, left_ms: null };
  const start = own.reduce((sum, { earliest }) => sum + earliest, 0);
  const end = own.reduce((sum, { latest }) => sum + latest, 0);
  const left = own.reduce((sum, { lag }) => sum + lag, 0);
  const whole = end - start;
  const consumed = Math.max(0, whole - left);
  const began = began_at === null ? null : { at: Date.parse(began_at), position: start };
  const rate = pace.of(build, { at: now, position: start + consumed }, began);
  const isMoving = rate !== null && rate > 0 && left > 0;
  return {
    share: whole === 0 ? 1 : consumed / whole,
    left,
    rate,
    left_ms: isMoving ? Math.round((left / rate) * 1000) : null,
  };
}
