import type { Documents } from '../../stores/documents/port.ts';
import { PLACES, placeName } from '../keys/accounts.ts';
import { LARGEST_ALLOTMENT } from './allotment.ts';
import { QUOTA, type QuotaDay } from './counter.ts';
import { DAYS_KEPT, DAY_MS, dayAt } from './days.ts';

/** What an account has used, out of the documents that count its requests: nothing is written for it. */
export interface Usage {
  /** Days with requests, newest first; of a day, by place. */
  readonly days: readonly PlaceDay[];
  /** The minute in which each key was counted last, as an instant; of keys that were, in the days that are kept. */
  readonly lastUsed: ReadonlyMap<string, string>;
  /** The store's time, as an instant, and the UTC day that it is then. */
  readonly now: string;
  readonly today: string;
}

export interface PlaceDay {
  /** UTC, `YYYY-MM-DD`. */
  readonly day: string;
  readonly place: number;
  /** Counted requests. What instances hold in advance is counted while they hold it. */
  readonly requests: number;
  /** How many of these may be held in advance, and not asked yet: up to 10 for each instance that holds some. */
  readonly held: number;
  /** The ids of the keys that asked. */
  readonly keys: readonly string[];
  /** The requests by the id of the key; their sum is `requests`. */
  readonly byKey: ReadonlyMap<string, number>;
}

/** The most days that can be asked for. */
export const USAGE_DAYS = DAYS_KEPT;

/** The last `days` days, today included, at the store's time `now`. Throws the store's errors. */
export async function readUsage(
  documents: Documents,
  account: string,
  { days, now }: { readonly days: number; readonly now: number },
): Promise<Usage> {
  const from = dayAt(now - (days - 1) * DAY_MS);
  const places = Array.from({ length: PLACES }, (_, index) => index + 1);
  const shown: PlaceDay[] = [];
  const lastUsed = new Map<string, string>();
  for (const place of places) {
    const found = await documents.find<QuotaDay>(QUOTA.name, {
      where: { place: placeName(account, place) },
      order: ['-day'],
      limit: DAYS_KEPT,
    });
    for (const { body } of found.documents) {
      for (const [keyId, minute] of seenIn(body)) {
        const at = instantOf(body.day, minute);
        if (at > (lastUsed.get(keyId) ?? '')) lastUsed.set(keyId, at);
      }
      const told = dayOf(body, place, now);
      if (body.day >= from && told.requests > 0) shown.push(told);
    }
  }
  return { days: shown.sort(newestFirst), lastUsed, now: new Date(now).toISOString(), today: dayAt(now) };
}

function dayOf(body: QuotaDay, place: number, now: number): PlaceDay {
  const requests = Object.values(body.shares).reduce((sum, share) => sum + share, 0);
  const holding = Object.values(body.leases ?? {}).filter((until) => until > now).length;
  const keys = seenIn(body).map(([keyId]) => keyId);
  const held = Math.min(requests, holding * LARGEST_ALLOTMENT);
  return { day: body.day, place, requests, held, keys, byKey: splitByKey(body, requests) };
}

/** What the keys are not known to have asked is the newest: it goes to the key that was seen last. */
function splitByKey(body: QuotaDay, requests: number): ReadonlyMap<string, number> {
  const split = new Map<string, number>();
  let rest = requests;
  for (const [keyId, asked] of Object.entries(body.asked ?? {})) {
    const part = Math.min(asked, rest);
    split.set(keyId, part);
    rest -= part;
  }
  const [last] = seenIn(body).reduce((best, one) => (one[1] >= best[1] ? one : best), ['', -1] as const);
  if (rest > 0 && last !== '') split.set(last, (split.get(last) ?? 0) + rest);
  return split;
}

function seenIn({ seen = {} }: QuotaDay): readonly (readonly [string, number])[] {
  return Object.entries(seen);
}

function instantOf(day: string, minute: number): string {
  const [hours, minutes] = [Math.floor(minute / 60), minute % 60];
  return `${day}T${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}:00.000Z`;
}

function newestFirst(a: PlaceDay, b: PlaceDay): number {
  if (a.day !== b.day) return a.day < b.day ? 1 : -1;
  return a.place - b.place;
}
