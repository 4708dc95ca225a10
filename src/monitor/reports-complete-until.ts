import type { Policy } from './policy.ts';
import { lastCounted, ROUND_MS } from './rounds.ts';

/** How well the log and the stores were read. Instants are Unix times in milliseconds. */
export interface ReadHealth {
  /** How far the projection was behind the log when the hours were read: the age of the oldest event not yet folded. */
  readonly lagMs: number;
  /** When the hours were read; 0 before they have been for the first time. */
  readonly readAt: number;
  /** Whether reading fails now. */
  readonly storesDown: boolean;
}

/** A projection that is further behind than this is not asked about silence. */
const LAG_LIMIT_MS = 60_000;

export type StatusMoment = ReturnType<typeof momentOf>;

/** What a status depends on beside the hours and the policy: as long as it stays, so does the status. */
export function momentOf(now: number, policy: Policy, { lagMs, readAt, storesDown }: ReadHealth) {
  const isBehind = storesDown || lagMs > LAG_LIMIT_MS;
  return {
    /** How far time has come: reports count up to one round, silence perhaps only up to an earlier one. */
    reports: lastCounted(now, policy),
    silence: lastCounted(isBehind ? Math.min(now, readAt - lagMs) : now, policy),
    /** Whether our own delay is too long for silence to mean anything. */
    isBehind,
    isRead: readAt > 0,
  };
}

/** `reported` is the newest counted round in which somebody reported; null where nobody ever has. */
export function isOld(reported: number | null, now: number, policy: Policy): boolean {
  return reported !== null && now - (reported + 1) * ROUND_MS > policy.stale_after_s * 1000;
}
