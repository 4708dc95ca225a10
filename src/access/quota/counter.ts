import type { CollectionSpec, Stored, Version } from '../../stores/documents/port.ts';

/** One document for each place of an account and UTC day: `2026-11-20/acme/1`. */
export const QUOTA: CollectionSpec = { name: 'quota', indexes: [['place', '-day']] };

/**
 * The share of each writer (a process, under a random name of its own): the requests that it has counted, and those
 * that it holds unspent, in advance. Only the writer changes its share, so reading the document tells a writer whether
 * a write of its own was applied, whoever has written since. What is taken of the day is the sum of the shares.
 */
export interface QuotaDay {
  /** `acme/1`. */
  readonly place: string;
  readonly day: string;
  readonly shares: Readonly<Record<string, number>>;
  /**
   * Promises: writers that may hold an allotment, and until when they will have returned it unless they renew it, in Unix
   * milliseconds of the store's clock. A promise lets others wait instead of refusing; nobody is stopped by it.
   */
  readonly leases?: Readonly<Record<string, number>>;
  /** The minute of the day, 0 to 1439, in which each key was counted last, as far as the document was written since. */
  readonly seen?: Readonly<Record<string, number>>;
  /**
   * Requests by key, as far as they were known when the document was written: what the shares have beyond their sum is the
   * newest. Where an answer of the store was lost they may be off; the shares never are.
   */
  readonly asked?: Readonly<Record<string, number>>;
}

/**
 * No promise is further away, by clocks compared as they are. One that is was given before the store's clock was set
 * back, and nobody waits for it.
 */
const FURTHEST_MS = 5000;

/** What one writer knows of a document, and what it wants it to say. */
export interface Counter {
  readonly id: string;
  readonly place: string;
  readonly day: string;
  /** The version last read or written (null: absent); undefined where the document must be read first. */
  version: Version | null | undefined;
  /** The other writers' shares and promises, and the keys that all have counted. */
  others: Pick<QuotaDay, 'shares' | 'leases' | 'seen' | 'asked'>;
  othersTaken: number;
  /** When the last of the others' promises ends; 0 where there is none. */
  othersUntil: number;
  /** The own share as the store has it. */
  stored: number;
  /** The end of the own allotment as the store has it; 0 where there is none. */
  storedUntil: number;
  /** The own share as it shall be. null: whatever the store has. */
  own: number | null;
  /** The part of `own` that no request has been granted from. The store has counted it. */
  unspent: number;
  /**
   * Whether so many later days have been counted that the document of this one may be gone. Nothing can be counted on
   * it any more, nor given back to it.
   */
  isOver: boolean;
  /** The keys that this process has counted: when last, and how often since the store was told. */
  readonly used: Map<string, KeyUse>;
  /** Given back, and not yet taken off `own`. */
  owed: number;
  /** Until when others wait for what is unspent here; 0 where they do not. Never later than `storedUntil`. */
  until: number;
  /** When the store was last written to, the requests granted since then, and the last of them: how fast they come. */
  flushedAt: number;
  granted: number;
  grantedAt: number;
  /** When a request was refused last, because the day was full. */
  fullAt: number;
  /** Which use of any counter was the last one of this. */
  lastUse: number;
}

interface KeyUse {
  /** Of the day. */
  minute: number;
  /** Below 0 where more was given back than granted. */
  untold: number;
}

function counterId(place: string, day: string): string {
  return `${day}/${place}`;
}

function newCounter(place: string, day: string): Counter {
  return {
    id: counterId(place, day),
    place,
    day,
    version: undefined,
    others: { shares: {} },
    othersTaken: 0,
    othersUntil: 0,
    stored: 0,
    storedUntil: 0,
    own: null,
    unspent: 0,
    isOver: false,
    used: new Map(),
    owed: 0,
    until: 0,
    flushedAt: Number.NEGATIVE_INFINITY,
    granted: 0,
    grantedAt: Number.NEGATIVE_INFINITY,
    fullAt: Number.NEGATIVE_INFINITY,
    lastUse: 0,
  };
}

/** Takes over what the store has at its time `now`; the writer's own wish stands. */
export function learn(
  counter: Counter,
  writer: string,
  document: Stored<QuotaDay> | undefined,
  now: number,
): void {
  const { [writer]: stored = 0, ...shares } = document?.body.shares ?? {};
  const { [writer]: storedUntil = 0, ...leases } = document?.body.leases ?? {};
  counter.version = document?.version ?? null;
  const { seen = {}, asked = {} } = document?.body ?? {};
  counter.others = { shares, leases, seen, asked };
  counter.othersTaken = Object.values(shares).reduce((sum, share) => sum + share, 0);
  counter.othersUntil = Math.max(0, ...Object.values(leases).filter((end) => end - now <= FURTHEST_MS));
  counter.stored = stored;
  counter.storedUntil = storedUntil;
}

/** The own share that is wanted before any new request is counted. */
export function wanted(counter: Counter): number {
  return Math.max(0, (counter.own ?? counter.stored) - counter.owed);
}

/** Ends a day for good: see `isOver`. */
export function close(counter: Counter): void {
  counter.isOver = true;
  counter.own = null;
  counter.unspent = 0;
  counter.owed = 0;
}

const MINUTE_MS = 60_000;
const MINUTES = 1440;

/** Notes that a key asks, at the store's time `now`; `requests` of it were granted, below 0 given back. */
export function noteUse(counter: Counter, keyId: string, now: number, requests: number): void {
  // Of the UTC day: Unix time knows no leap seconds.
  const minute = Math.floor(now / MINUTE_MS) % MINUTES;
  const use = counter.used.get(keyId);
  if (!use) {
    counter.used.set(keyId, { minute, untold: requests });
    return;
  }
  use.minute = minute;
  use.untold += requests;
}

/** The store has been told what `body` says of the keys. */
export function toldUse(counter: Counter, body: QuotaDay): void {
  const before = counter.others.asked ?? {};
  const { seen = {}, asked = {} } = body;
  for (const [keyId, use] of counter.used) use.untold -= (asked[keyId] ?? 0) - (before[keyId] ?? 0);
  counter.others = { ...counter.others, seen, asked };
}

/** Requests left in the day: what is unspent here is left, what others hold unspent is not. */
export function leftOf(counter: Counter, limit: number): number {
  if (counter.isOver) return 0;
  return Math.max(0, limit - counter.othersTaken - wanted(counter) + counter.unspent);
}

/** The document with another own share and allotment. A writer that has nothing counted leaves no trace. */
export function withShare(
  { place, day, others, used: own }: Counter,
  writer: string,
  { share, until, now }: { readonly share: number; readonly until: number; readonly now: number },
): QuotaDay {
  const shares = share === 0 ? others.shares : { ...others.shares, [writer]: share };
  const open = Object.entries(others.leases ?? {}).filter(([, end]) => end > now);
  if (until > 0) open.push([writer, until]);
  const seen = { ...others.seen };
  const asked = { ...others.asked };
  for (const [keyId, { minute, untold }] of own) {
    seen[keyId] = Math.max(minute, seen[keyId] ?? 0);
    const requests = Math.max(0, (asked[keyId] ?? 0) + untold);
    if (requests > 0) asked[keyId] = requests;
    else delete asked[keyId];
  }
  const body = { place, day, shares, seen, asked };
  return open.length === 0 ? body : { ...body, leases: Object.fromEntries(open) };
}

/** For how long a refusal stands without asking the store again: others may give something back meanwhile. */
const REFUSED_FOR_MS = 1000;

/** Whether the day was full a moment ago, so that there is no need to ask. */
export function isKnownFull({ fullAt }: Counter, now: number): boolean {
  return now >= fullAt && now - fullAt < REFUSED_FOR_MS;
}

/** Whether forgetting the counter loses nothing: the store has it all, and nothing is held. */
export function isSettled(counter: Counter): boolean {
  return counter.owed === 0 && counter.unspent === 0 && isStored(counter);
}

/** Whether the store has the own share as it shall be, as far as is known. */
export function isStored({ own, stored, version }: Counter): boolean {
  return own === null || (own === stored && version !== undefined);
}

/** The counters that this process remembers: one for each place and day, and never two for the same. */
export interface Counters {
  of(place: string, day: string): Counter;
  /**
   * Where a tenth more than the bound are there, forgets what was used longest ago, as far as the store has it all. Nobody may hold on to
   * a counter meanwhile.
   */
  forgetOld(): void;
}

const REMEMBERED = 10_000;
/** So much more of it is let come before the oldest are looked for, and looked for again: that takes a look at all. */
const EXCESS = 0.1;

export function createCounters(remembered = REMEMBERED): Counters {
  const counters = new Map<string, Counter>();
  /** By place, the one asked for last: nearly all requests are of the same day as the one before. */
  const latest = new Map<string, Counter>();
  let uses = 0;
  const excess = remembered * EXCESS;
  let most = remembered + excess;

  return {
    of(place, day) {
      const last = latest.get(place);
      const counter = last?.day === day ? last : find(place, day);
      counter.lastUse = uses += 1;
      return counter;
    },
    forgetOld() {
      if (counters.size <= most) return;
      const byUse = [...counters.values()].toSorted((a, b) => a.lastUse - b.lastUse);
      for (const counter of byUse.slice(0, counters.size - remembered)) {
        if (!isSettled(counter)) continue;
        counters.delete(counter.id);
        if (latest.get(counter.place) === counter) latest.delete(counter.place);
      }
      most = Math.max(remembered, counters.size) + excess;
    },
  };

  function find(place: string, day: string): Counter {
    const id = counterId(place, day);
    const counter = counters.get(id) ?? newCounter(place, day);
    counters.set(id, counter);
    latest.set(place, counter);
    return counter;
  }
}
