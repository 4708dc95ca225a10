import type { Documents } from '../../stores/documents/port.ts';
import { PLACES, placeName } from '../keys/accounts.ts';
import { QUOTA, type QuotaDay } from './counter.ts';
import { DAYS_KEPT, DAY_MS, dayAt } from './days.ts';

/** What an account has used, out of the documents that count its requests: nothing is written for it. */
export interface Usage {
  /** Days with requests, newest first; of a day, by place. */
  readonly days: readonly PlaceDay[];
  /** The hour in which each key was counted last, as an instant; of keys that were, in the days that are kept. */
  readonly lastUsed: ReadonlyMap<string, string>;
}

export interface PlaceDay {
  /** UTC, `YYYY-MM-DD`. */
  readonly day: string;
  readonly place: number;
  /** Counted requests. What instances hold in advance, up to 10 each, is counted while they hold it. */
  readonly requests: number;
  /** The ids of the keys that asked. */
  readonly keys: readonly string[];
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
  const places = new Map(
    Array.from({ length: PLACES }, (_, index) => [placeName(account, index + 1), index + 1] as const),
  );
  const shown: PlaceDay[] = [];
  const lastUsed = new Map<string, string>();
  for (const [name, place] of places) {
    const found = await documents.find<QuotaDay>(QUOTA.name, {
      where: { place: name },
      order: ['-day'],
      limit: DAYS_KEPT,
    });
    for (const { body } of found.documents) {
      const { day, shares, used = {} } = body;
      for (const [keyId, hour] of Object.entries(used)) {
        const at = `${day}T${String(hour).padStart(2, '0')}:00:00.000Z`;
        if (at > (lastUsed.get(keyId) ?? '')) lastUsed.set(keyId, at);
      }
      const requests = Object.values(shares).reduce((sum, share) => sum + share, 0);
      if (day >= from && requests > 0) shown.push({ day, place, requests, keys: Object.keys(used) });
    }
  }
  return { days: shown.sort(newestFirst), lastUsed };
}

function newestFirst(a: PlaceDay, b: PlaceDay): number {
  if (a.day !== b.day) return a.day < b.day ? 1 : -1;
  return a.place - b.place;
}
