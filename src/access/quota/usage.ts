import type { Documents } from '../../stores/documents/port.ts';
import { PLACES, placeName } from '../keys/accounts.ts';
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
  /** How many of these may be held in advance, and not asked yet: those that no key is known to have asked. */
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
      for (const [keyId, [, minute]] of Object.entries(body.keys ?? {})) {
        const at = instantOf(body.day, minute);
        if (at > (lastUsed.get(keyId) ?? '')) lastUsed.set(keyId, at);
      }
      const told = dayOf(body, place);
      if (body.day >= from && told.requests > 0) shown.push(told);
    }
  }
  return { days: shown.sort(newestFirst), lastUsed, now: new Date(now).toISOString(), today: dayAt(now) };
}

function dayOf({ day, shares, keys = {} }: QuotaDay, place: number): PlaceDay {
  const requests = Object.values(shares).reduce((sum, share) => sum + share, 0);
  const byKey = splitByKey(keys, requests);
  const told = Object.values(keys).reduce((sum, [asked]) => sum + asked, 0);
  return { day, place, requests, held: Math.max(0, requests - told), keys: Object.keys(keys), byKey };
}

/** What the keys are not known to have asked is held or the newest: it goes to the key that was seen last. */
function splitByKey(keys: Required<QuotaDay>['keys'], requests: number): ReadonlyMap<string, number> {
  const split = new Map<string, number>();
  let rest = requests;
  let last = { keyId: '', minute: -1 };
  for (const [keyId, [asked, minute]] of Object.entries(keys)) {
    const part = Math.min(asked, rest);
    if (part > 0) split.set(keyId, part);
    rest -= part;
    if (minute >= last.minute) last = { keyId, minute };
  }
  if (rest > 0 && last.keyId !== '') split.set(last.keyId, (split.get(last.keyId) ?? 0) + rest);
  return split;
}

function instantOf(day: string, minute: number): string {
  const [hours, minutes] = [Math.floor(minute / 60), minute % 60];
  return `${day}T${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}:00.000Z`;
}

function newestFirst(a: PlaceDay, b: PlaceDay): number {
  if (a.day !== b.day) return a.day < b.day ? 1 : -1;
  return a.place - b.place;
}
