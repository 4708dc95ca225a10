import type { Clock } from '../platform/clock.ts';
import { messageOf } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';
import type { Registry } from '../platform/metrics.ts';
import { createLaneMetrics } from './lane-metrics.ts';
import { createLagReport } from './lag-report.ts';
import { readProgress, type LaneProgress, type ProgressParts } from './progress.ts';
import type { Projector } from './projector.ts';
import { createStallDetector } from './stall.ts';

/** Whether a projector does its work. `detail` is one line for people. */
export interface Health {
  readonly ok: boolean;
  readonly detail: string;
}

export interface HealthWatch extends Disposable {
  latest(): Health;
  /** Looks now, instead of at the next interval. */
  look(): Promise<Health>;
}

/** Often enough that a stall shows within 15 s of the moment from which it counts. */
const LOOK_MS = 3000;

/**
 * Looks at the lanes of one projector every few seconds: is one halted, does one stand still while its log moves on?
 * Lanes of other workers are theirs to report. What it sees is also passed on to those who serve (lag-report.ts).
 */
export function watchHealth(
  parts: ProgressParts & { readonly clock: Clock; readonly registry: Registry; readonly logger: Logger },
  { owner, halts }: Pick<Projector, 'owner' | 'halts'>,
): HealthWatch {
  const detector = createStallDetector();
  const metrics = createLaneMetrics(parts);
  const stopping = new AbortController();
  const report = createLagReport(parts);
  let health: Health = { ok: false, detail: 'starting' };
  const look = async (): Promise<Health> => {
    try {
      const lookedAt = parts.clock.now();
      const all = await readProgress(parts);
      report.take(all, lookedAt);
      const lanes = all.filter((lane) => lane.checkpoint?.owner === owner);
      health = judge(lanes, halts, detector.observe(lanes, parts.clock.now()));
      await metrics.show(lanes, stopping.signal);
    } catch (thrown) {
      health = { ok: false, detail: `progress cannot be read: ${messageOf(thrown)}` };
    }
    return health;
  };
  // One look at a time: a slow store must not be asked again before it has answered.
  let looking = false;
  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    void look().finally(() => (looking = false));
  }, LOOK_MS);
  timer.unref();
  return {
    latest: () => health,
    look,
    [Symbol.dispose]: () => {
      clearInterval(timer);
      stopping.abort();
      report[Symbol.dispose]();
    },
  };
}

function judge(
  lanes: readonly LaneProgress[],
  halts: ReadonlyMap<string, string>,
  stalled: readonly string[],
): Health {
  if (halts.size > 0) return { ok: false, detail: `halted: ${[...halts.values()].join(' ')}` };
  if (stalled.length > 0) return { ok: false, detail: `stalled: ${stalled.join(', ')}` };
  const behind = lanes.reduce((sum, lane) => sum + lane.lag, 0);
  return { ok: true, detail: `${lanes.length} lanes, ${behind} behind` };
}
