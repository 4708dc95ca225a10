import type { Status } from './status-body.ts';
import type { State } from './machine-state.ts';
import { type Members, overallTimeline } from './overall.ts';
import { flooredPercent, spentWithin } from './uptime.ts';
import { DAY_MS } from '../platform/time/instant.ts';

/**
 * The share of the known time without an outage of any critical target, in per cent with two decimals; null where nothing
 * is known. The platform as a whole is down only while all of them are, so its uptime alone hides the outage of one. A
 * half is rounded down: 100 stands for no outage at all.
 */
export type CoreUptime = Readonly<Record<keyof Status['uptime'], number | null>>;

/** In the windows that end at this moment; null without a critical target, and where `end` is null. */
export function coreUptimeOf(histories: Members, end: number | null): CoreUptime | null {
  const critical = histories.filter(({ target }) => target.critical);
  if (critical.length === 0 || end === null) return null;
  const timeline = overallTimeline(critical, (known) => worstOf(known.map(({ state }) => state)));
  const days = (count: number): number | null => {
    const { up, down } = spentWithin(timeline, end, count * DAY_MS);
    return flooredPercent(up, up + down);
  };
  return { '24h': days(1), '7d': days(7), '30d': days(30), '90d': days(90) };
}

/** Down while one is; else unknown while one is. */
function worstOf(states: readonly State[]): State {
  if (states.includes('down')) return 'down';
  return states.includes('unknown') ? 'unknown' : 'up';
}
