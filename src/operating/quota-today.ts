import { ACCOUNTS, placeName, type Account } from '../access/keys/accounts.ts';
import { QUOTA, type QuotaDay } from '../access/quota/counter.ts';
import { dayAt } from '../access/quota/days.ts';
import type { Parts } from '../compose/parts.ts';

/** How the day's requests are counted so far, of all processes that serve. */
export interface QuotaToday {
  /** UTC. */
  readonly day: string;
  /** Requests that a key may make in a day. */
  readonly limit: number;
  readonly accounts: number;
  /** Whether there are more accounts than were looked at. */
  readonly more: boolean;
  /** Places of keys that were asked with today. */
  readonly asking: number;
  /** Counted requests, with what instances hold in advance. */
  readonly requests: number;
  /** Places that have reached the limit. */
  readonly full: number;
  /** Those with the most requests. */
  readonly busiest: readonly { readonly place: string; readonly requests: number }[];
}

/** Accounts that are looked at, at most; places that are asked for at once; places that are listed. */
const ACCOUNTS_READ = 2000;
const AT_ONCE = 500;
const LISTED = 5;

export async function readQuotaToday({
  documents,
  dailyLimit,
}: Pick<Parts, 'documents' | 'dailyLimit'>): Promise<QuotaToday> {
  const day = dayAt(await documents.now());
  const { accounts, more, places } = await readPlaces({ documents });
  const used: { place: string; requests: number }[] = [];
  for (let from = 0; from < places.length; from += AT_ONCE) {
    const query = {
      where: { place: { in: places.slice(from, from + AT_ONCE) }, day },
      order: [],
      limit: AT_ONCE,
    };
    const { documents: found } = await documents.find<QuotaDay>(QUOTA.name, query);
    for (const { body } of found)
      used.push({ place: body.place, requests: Object.values(body.shares).reduce((a, b) => a + b, 0) });
  }
  used.sort((a, b) => b.requests - a.requests);
  return {
    day,
    limit: dailyLimit,
    accounts,
    more,
    asking: used.filter(({ requests }) => requests > 0).length,
    requests: used.reduce((sum, { requests }) => sum + requests, 0),
    full: used.filter(({ requests }) => requests >= dailyLimit).length,
    busiest: used.slice(0, LISTED),
  };
}

async function readPlaces({ documents }: Pick<Parts, 'documents'>) {
  const places = new Set<string>();
  let accounts = 0;
  for await (const page of documents.scan<Account>(ACCOUNTS.name))
    for (const { id, body } of page) {
      if (accounts === ACCOUNTS_READ) return { accounts, more: true, places: [...places] };
      accounts += 1;
      for (const { place } of body.keys) places.add(placeName(id, place));
    }
  return { accounts, more: false, places: [...places] };
}
