import type { Documents } from '../../stores/documents/port.ts';
import { QUOTA, type Counter, type QuotaDay } from './counter.ts';

export const DAY_MS = 86_400_000;

/** The day that was asked for last: it is the same one a hundred million times. */
const last = { start: Number.NaN, day: '' };

/** The UTC day of a Unix time in milliseconds, `YYYY-MM-DD`. */
export function dayAt(unixMs: number): string {
  const start = unixMs - (unixMs % DAY_MS);
  if (start !== last.start) {
    last.day = new Date(start).toISOString().slice(0, 10);
    last.start = start;
  }
  return last.day;
}

/** Whole seconds, rounded up, at least 1. */
export function secondsToMidnight(unixMs: number): number {
  return Math.ceil((DAY_MS - (unixMs % DAY_MS)) / 1000);
}

/**
 * How old counts go, without a clock that could be wrong: a day's document is removed when so many later days of its
 * place have been counted, each of them with requests. From then on there are always so many later ones, because they
 * are removed by the same rule. So a day that has no document, but so many later ones, may have had one: it is over,
 * and nothing is counted on it again, whatever the store's clock says.
 */
export const DAYS_KEPT = 35;

/** More than a place leaves behind, unless sweeping has failed for months; the next sweep takes the rest. */
const AT_ONCE = 100;

/** Removes the documents of a place beyond the `DAYS_KEPT` newest. */
export async function sweepQuota(documents: Documents, place: string): Promise<void> {
  const newestFirst = await documents.find<QuotaDay>(QUOTA.name, {
    where: { place },
    order: ['-day'],
    limit: DAYS_KEPT + AT_ONCE,
  });
  const old = newestFirst.documents.slice(DAYS_KEPT);
  if (old.length === 0) return;
  await documents.remove(
    QUOTA.name,
    old.map(({ id, version }) => ({ id, read: version })),
  );
}

/** Those of the counters, none of which has a document, whose days are over. */
export async function findOver(
  documents: Documents,
  counters: readonly Counter[],
): Promise<readonly Counter[]> {
  const over: Counter[] = [];
  for (const [day, ofDay] of Map.groupBy(counters, (counter) => counter.day)) {
    const groups = await documents.count(QUOTA.name, {
      where: { place: { in: ofDay.map(({ place }) => place) }, day: { gt: day } },
      by: ['place'],
    });
    const later = new Map(groups.map(({ values, count }) => [values[0], count]));
    over.push(...ofDay.filter(({ place }) => (later.get(place) ?? 0) >= DAYS_KEPT));
  }
  return over;
}
