/** An instant as we keep it: UTC, always with milliseconds, so that text order is time order. */
export type Instant = string;

const RFC3339 =
  /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9})\d*)?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/**
 * Reads an RFC 3339 date-time with any offset, to the millisecond (finer digits are cut).
 * A leap second (`:60`) is read as the second after it, as POSIX time has it.
 * Returns null where the text is no such instant, or leaves the years 0000 to 9999 in UTC.
 */
export function parseInstant(text: string): Instant | null {
  const parts = RFC3339.exec(text);
  if (!parts) return null;
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const offsetHour = Number(parts[9] ?? 0);
  const offsetMinute = Number(parts[10] ?? 0);
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return null;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  const milliseconds = Number((parts[7] ?? '').padEnd(3, '0').slice(0, 3));
  date.setUTCHours(hour, minute, second, milliseconds);
  const offset = (offsetHour * 60 + offsetMinute) * (parts[8] === '-' ? -1 : 1);
  return toInstant(date.getTime() - offset * 60_000);
}

/** The instant of a Unix time in milliseconds, or null outside the years 0000 to 9999. */
export function toInstant(milliseconds: number): Instant | null {
  const date = new Date(milliseconds);
  const year = date.getUTCFullYear();
  return Number.isNaN(year) || year < 0 || year > 9999 ? null : date.toISOString();
}

/** The same for a time that is computed, and has to be one. @throws {RangeError} where it is none. */
export function instantAt(milliseconds: number): Instant {
  const instant = toInstant(milliseconds);
  if (instant === null) throw new RangeError(`${milliseconds} ms leave the years 0000 to 9999`);
  return instant;
}

/** Unix time in milliseconds of an instant that `parseInstant` or `toInstant` made. */
export function unixMs(instant: Instant): number {
  return Date.parse(instant);
}

export const DAY_MS = 86_400_000;

/** The UTC day of an instant, `YYYY-MM-DD`. */
export function dayOf(instant: Instant): string {
  return instant.slice(0, 10);
}

/** An instant as the API shows it: milliseconds left out when they are zero. */
export function showInstant(instant: Instant): string {
  return instant.endsWith('.000Z') ? `${instant.slice(0, -5)}Z` : instant;
}
