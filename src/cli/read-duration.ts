import { UsageError } from '../platform/errors.ts';

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * A span of time as people write it (`30m`, `24h`, `7d`, `0`), in milliseconds.
 * @throws {UsageError} where it is none, or longer than so many days.
 */
export function readDuration(option: string, text: string, longestDays: number): number {
  const [, digits, unit] = /^(\d{1,9})([smhd]?)$/.exec(text) ?? [];
  const ms = Number(digits) * (UNITS[unit ?? ''] ?? (Number(digits) === 0 ? 0 : Number.NaN));
  if (ms <= longestDays * 86_400_000) return ms;
  throw new UsageError(
    `${option} must be 0, or a number with its unit, at most ${longestDays}d: 90s, 30m, 24h or 7d.`,
  );
}
