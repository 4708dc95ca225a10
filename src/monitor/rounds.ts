import type { Check, HourView, StoredRound } from '../../projections/monitor/document.ts';
import { ROUNDS_IN_HOUR } from '../../projections/monitor/hours.ts';
import type { Policy } from './policy.ts';

/** Rounds: the minutes in which a target is probed, and what the probes of one say together. */

export const ROUND_MS = 60_000;
export const ROUNDS_IN_DAY = 24 * ROUNDS_IN_HOUR;

/** `weak` is between ok and fail: some probes failed, or most of them were slow. */
export const ROUND_RESULTS = ['ok', 'weak', 'fail'] as const;
export type RoundResult = (typeof ROUND_RESULTS)[number];

export type Round = ReturnType<typeof judge>;

/** When a round counts, and so when a change that it causes takes place. */
export function countsAt(round: number, { settle_s }: Policy): number {
  return (round + 1) * ROUND_MS + settle_s * 1000;
}

/** The newest round that counts at this moment, reported or not. */
export function lastCounted(now: number, { settle_s }: Policy): number {
  return Math.floor((now - settle_s * 1000) / ROUND_MS) - 1;
}

/** Whether every round of the hour is among those up to `through`: only late probes can still change it. */
export function isClosed(hour: number, through: number): boolean {
  return (hour + 1) * ROUNDS_IN_HOUR - 1 <= through;
}

/** What is left of an hour where only rounds from this one on count. */
export function hourSince(hour: HourView, since: number): HourView {
  return hasRoundsBefore(hour.hour, since)
    ? { ...hour, rounds: hour.rounds.filter(({ round }) => round >= since) }
    : hour;
}

export function hasRoundsBefore(hour: number, since: number): boolean {
  return hour * ROUNDS_IN_HOUR < since;
}

/** What is known of a round in which somebody reported. Instants are Unix times in milliseconds. */
export function judge({ round, checks }: StoredRound) {
  const ok = checks.filter(({ result }) => result === 'ok');
  const notOk = checks.filter(({ result }) => result !== 'ok');
  return {
    round,
    result: resultOf(checks),
    /** The first check that was ok, and the first one that was not; null where there was none. */
    okAt: earliest(ok),
    notOkAt: earliest(notOk),
    checkedAt: Math.max(...checks.map(({ at }) => at)),
    /** The causes that failing checks gave, each as often as it was given. */
    causes: notOk.flatMap(({ result, cause }) => (result === 'fail' && cause !== null ? [cause] : [])),
  };
}

/** A majority is more than half of those that reported. */
function resultOf(checks: readonly Check[]): RoundResult {
  const having = (wanted: Check['result']) => checks.filter(({ result }) => result === wanted).length;
  const failed = having('fail');
  if (failed * 2 > checks.length) return 'fail';
  return failed > 0 || having('slow') * 2 > checks.length ? 'weak' : 'ok';
}

function earliest(checks: readonly Check[]): number | null {
  return checks.length === 0 ? null : Math.min(...checks.map(({ at }) => at));
}
