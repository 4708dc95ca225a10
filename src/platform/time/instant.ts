/** An instant as we keep it: UTC, always with milliseconds, so that text order is time order. */
export type Instant = string;

const RFC3339 =
  /^(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))T((?:[01]\d|2[0-3]):[0-5]\d:)([0-5]\d|60)(?:(\.\d{1,3})\d*)?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/i;

/**
 * Reads an RFC 3339 date-time with any offset, to the millisecond (finer digits are cut).
 * A leap second (`:60`) is read as the second after it, as POSIX time has it.
 * Returns null where the text is no such instant, or leaves the years 0000 to 9999 in UTC.
 */
export function parseInstant(text: string): Instant | null {
  const [, date, time, second, fraction = '', sign, hours, minutes] = RFC3339.exec(text) ?? [];
  if (date === undefined) return null;
  const isLeap = second === '60';
  // In UTC, on a day that every month has, nothing is left to compute: so nearly all come.
  if (sign === undefined && !isLeap && date.slice(8) <= '28')
    return `${date}T${time}${second}${(fraction || '.').padEnd(4, '0')}Z`;
  const local = Date.parse(`${date}T${time}${isLeap ? '59' : second}${fraction}Z`);
  const instant = toInstant(local);
  // The engine reads the 30th of February as a day of March.
  if (!instant?.startsWith(date)) return null;
  if (sign === undefined && !isLeap) return instant;
  const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * (sign === '-' ? -1 : 1);
  return toInstant(local + (isLeap ? 1000 : 0) - offset * 60_000);
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

/** The same as people and scripts read it: producers may give their records any time at all. */
export function instantOrMs(milliseconds: number): string {
  return toInstant(milliseconds) ?? `${milliseconds} ms`;
}

/** Unix time in milliseconds of an instant that `parseInstant` or `toInstant` made. */
export function unixMs(instant: Instant): number {
  return Date.parse(instant);
}

export const DAY_MS = 86_400_000;

/** An instant as the API shows it: milliseconds left out when they are zero. */
export function showInstant(instant: Instant): string {
  return instant.endsWith('.000Z') ? `${instant.slice(0, -5)}Z` : instant;
}
