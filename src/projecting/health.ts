import type { Clock } from '../platform/clock.ts';
import { messageOf } from '../platform/errors.ts';
import { Gauge, type Registry } from '../platform/metrics.ts';
import { explainHalt, laneName } from './lane.ts';
import { readProgress, type LaneProgress, type ProgressParts } from './progress.ts';
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
 * Looks at the lanes of one owner every few seconds: is one halted, does one stand still while its log moves on?
 * Lanes of other workers are theirs to report.
 */
export function watchHealth(
  parts: ProgressParts & { readonly clock: Clock; readonly registry: Registry },
  owner: string,
): HealthWatch {
  const detector = createStallDetector();
  const lag = new Gauge({
    name: 'catalog_lane_lag',
    help: 'Positions between a lane’s checkpoint and the end of its log.',
    labelNames: ['lane'] as const,
    registers: [parts.registry],
  });
  let health: Health = { ok: false, detail: 'starting' };
  const look = async (): Promise<Health> => {
    try {
      const lanes = (await readProgress(parts)).filter((lane) => lane.checkpoint?.owner === owner);
      for (const lane of lanes) lag.set({ lane: laneName(lane) }, lane.lag);
      health = judge(lanes, detector.observe(lanes, parts.clock.now()));
    } catch (thrown) {
      health = { ok: false, detail: `progress cannot be read: ${messageOf(thrown)}` };
    }
    return health;
  };
  const timer = setInterval(() => void look(), LOOK_MS);
  timer.unref();
  return { latest: () => health, look, [Symbol.dispose]: () => clearInterval(timer) };
}

function judge(lanes: readonly LaneProgress[], stalled: readonly string[]): Health {
  const halts = lanes.flatMap((lane) => (lane.halted ? [explainHalt(lane, lane.halted)] : []));
  if (halts.length > 0) return { ok: false, detail: `halted: ${halts.join(' ')}` };
  if (stalled.length > 0) return { ok: false, detail: `stalled: ${stalled.join(', ')}` };
  const behind = lanes.reduce((sum, lane) => sum + lane.lag, 0);
  return { ok: true, detail: `${lanes.length} lanes, ${behind} behind` };
}
