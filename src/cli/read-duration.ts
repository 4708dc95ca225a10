import { UsageError } from '../platform/errors.ts';

const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A span of time as people write it (`90s`, `30m`, `24h`, `7d`, `0`), in milliseconds; null where it is none. */
export function parseDuration(text: string): number | null {
  if (/^0+$/.test(text)) return 0;
  const [, digits, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  return digits === undefined ? null : Number(digits) * UNIT_MS[unit as keyof typeof UNIT_MS];
}

/**
 * The span that an option was given.
 * @throws {UsageError} where it is none, or longer than so many days.
 */
export function readDuration(option: string, text: string, longestDays: number): number {
  const ms = parseDuration(text);
  if (ms !== null && ms <= longestDays * UNIT_MS.d) return ms;
  throw new UsageError(
    `${option} must be 0, or a number with its unit, at most ${longestDays}d: 90s, 30m, 24h or 7d.`,
  );
}
