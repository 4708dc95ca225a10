import { DAY_MS } from '../../platform/time/instant.ts';
import type { Documents } from '../../stores/documents/port.ts';
import { PLACES, placeName } from '../keys/account-document.ts';
import { type KeyUses, QUOTA, type QuotaDay, withUse } from './quota-day-document.ts';
import { DAYS_KEPT } from './ended-days.ts';
import { MINUTE_MS, dayAt } from './utc-day.ts';

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
  /** The requests by the id of the key that asked; their sum is `requests`. */
  readonly byKey: ReadonlyMap<string, number>;
}

/** The last `days` days, today included, by the store's clock. Throws the store's errors. */
export async function readUsage(documents: Documents, account: string, days: number): Promise<Usage> {
  const now = await documents.now();
  const from = dayAt(now - (days - 1) * DAY_MS);
  const places = Array.from({ length: PLACES }, (_, index) => placeName(account, index + 1));
  // By id where the day is the same: by place.
  const found = await documents.find<QuotaDay>(QUOTA.name, {
    where: { place: { in: places } },
    order: ['-day'],
    limit: PLACES * DAYS_KEPT,
  });
  const shown: PlaceDay[] = [];
  const lastUsed = new Map<string, string>();
  for (const { body } of found.documents) {
    const keys = keysOf(body);
    for (const [keyId, [, minute]] of Object.entries(keys)) {
      const at = new Date(Date.parse(body.day) + minute * MINUTE_MS).toISOString();
      if (at > (lastUsed.get(keyId) ?? '')) lastUsed.set(keyId, at);
    }
    const told = dayOf(body, keys);
    if (body.day >= from && told.requests > 0) shown.push(told);
  }
  return { days: shown, lastUsed, now: new Date(now).toISOString(), today: dayAt(now) };
}

/** Of all writers together. */
function keysOf(body: QuotaDay): KeyUses {
  return Object.values(body.uses)
    .flatMap((uses) => Object.entries(uses))
    .reduce<KeyUses>((keys, [keyId, [requests, minute]]) => withUse(keys, keyId, minute, requests), {});
}

/** What the keys are not known to have asked is held or the newest: it goes to the key that was seen last. */
function dayOf({ day, place, shares }: QuotaDay, keys: KeyUses): PlaceDay {
  const requests = Object.values(shares).reduce((sum, share) => sum + share, 0);
  const byKey = new Map<string, number>();
  let held = requests;
  let last = { keyId: '', minute: -1 };
  for (const [keyId, [asked, minute]] of Object.entries(keys)) {
    const part = Math.min(asked, held);
    if (part > 0) byKey.set(keyId, part);
    held -= part;
    if (minute >= last.minute) last = { keyId, minute };
  }
  if (held > 0 && last.keyId !== '') byKey.set(last.keyId, (byKey.get(last.keyId) ?? 0) + held);
  return { day, place: Number(place.slice(place.lastIndexOf('/') + 1)), requests, held, byKey };
}
