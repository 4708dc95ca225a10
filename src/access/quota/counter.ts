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
   * Of each key that asked: its requests, and the minute of the day, 0 to 1439, in which it was counted last; both as far as
   * they were known when the document was written. What the shares have beyond the sum of the requests is held, or newer.
   * Where an answer of the store was lost they may be off; the shares never are. Absent in days that an earlier release has counted.
   */
  readonly keys?: Readonly<Record<string, readonly [requests: number, minute: number]>>;
  /** Whether little was left once: from then on nobody holds anything, and everybody counts one by one. */
  readonly isNearlyFull?: true;
}

/** What one writer knows of a document, and what it wants it to say. There may be a hundred thousand of them. */
export interface Counter {
  readonly id: string;
  readonly place: string;
  readonly day: string;
  /** The version last read or written (null: absent); undefined where the document must be read first. */
  version: Version | null | undefined;
  /** The other writers' shares. */
  others: QuotaDay['shares'];
  othersTaken: number;
  /** The own share as the store has it. */
  stored: number;
  /** The own share as it shall be. null: whatever the store has. */
  own: number | null;
  /** The part of `own` that no request has been granted from. The store has counted it. */
  unspent: number;
  /** As the document says, or somebody who called for what is held. */
  isNearlyFull: boolean;
  /** Whether this process is to hold nothing of it: it ends, or asks whether the store takes counts. */
  holdsNothing: boolean;
  /**
   * Whether so many later days have been counted that the document of this one may be gone. Nothing can be counted on
   * it any more, nor given back to it.
   */
  isOver: boolean;
  /** The keys that were counted, by anybody. */
  uses: readonly KeyUse[];
  /** Given back, and not yet taken off `own`. */
  owed: number;
  /** Requests that were granted since the store was last written to. */
  granted: number;
  /** When the last request was granted, by the store's clock. */
  grantedAt: number;
  /** When a request was refused last, because the day was full. */
  fullAt: number;
  /** When others were called to give back what they hold: monotonic milliseconds. */
  calledAt: number | null;
}

interface KeyUse {
  readonly keyId: string;
  /** Requests, as the store has them. */
  stored: number;
  /** The minute of the day in which it was counted last. */
  minute: number;
  /** Requests that the store has not been told of. Below 0 where more was given back than granted. */
  untold: number;
}

const NOBODY: QuotaDay['shares'] = {};

export function counterId(place: string, day: string): string {
  return `${day}/${place}`;
}

export function newCounter(place: string, day: string): Counter {
  return {
    id: counterId(place, day),
    place,
    day,
    version: undefined,
    others: NOBODY,
    othersTaken: 0,
    stored: 0,
    own: null,
    unspent: 0,
    isNearlyFull: false,
    holdsNothing: false,
    isOver: false,
    uses: [],
    owed: 0,
    granted: 0,
    grantedAt: Number.NEGATIVE_INFINITY,
    fullAt: Number.NEGATIVE_INFINITY,
    calledAt: null,
  };
}

/** Takes over what the store has; the writer's own wish stands. */
export function learn(counter: Counter, writer: string, document: Stored<QuotaDay> | undefined): void {
  const { [writer]: stored = 0, ...shares } = document?.body.shares ?? {};
  counter.version = document?.version ?? null;
  counter.othersTaken = Object.values(shares).reduce((sum, share) => sum + share, 0);
  counter.others = counter.othersTaken > 0 ? shares : NOBODY;
  counter.uses = usesWith(counter.uses, document?.body.keys ?? {});
  counter.stored = stored;
  counter.isNearlyFull ||= document?.body.isNearlyFull === true;
}

export function mayHold({ isNearlyFull, holdsNothing }: Counter): boolean {
  return !isNearlyFull && !holdsNothing;
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

/** Notes a request of a key, at the store's time `now`. */
export function noteUse(counter: Counter, keyId: string, now: number): void {
  const use = useOf(counter, keyId);
  // Of the UTC day: Unix time knows no leap seconds.
  use.minute = Math.max(use.minute, Math.floor(now / MINUTE_MS) % MINUTES);
  use.untold += 1;
}

/** Takes a request of a key back. */
export function forgetUse(counter: Counter, keyId: string): void {
  useOf(counter, keyId).untold -= 1;
}

/** The store has been told what `keys` says. */
export function toldUse(counter: Counter, { keys = {} }: QuotaDay): void {
  for (const use of counter.uses) {
    const told = keys[use.keyId]?.[0] ?? use.stored;
    use.untold -= told - use.stored;
    use.stored = told;
  }
}

/** The keys that the store has come first: whoever asked later is later in the list. */
function usesWith(uses: readonly KeyUse[], keys: Required<QuotaDay>['keys']): readonly KeyUse[] {
  const own = new Map(uses.map((use) => [use.keyId, { ...use, stored: 0 }]));
  const stored = Object.entries(keys).map(([keyId, [requests, minute]]) => {
    const use = own.get(keyId);
    own.delete(keyId);
    return { keyId, stored: requests, minute: Math.max(use?.minute ?? 0, minute), untold: use?.untold ?? 0 };
  });
  return [...stored, ...own.values()];
}

function useOf(counter: Counter, keyId: string): KeyUse {
  const known = counter.uses.find((use) => use.keyId === keyId);
  if (known) return known;
  const use = { keyId, stored: 0, minute: 0, untold: 0 };
  counter.uses = [...counter.uses, use];
  return use;
}

/** Requests left in the day: what is unspent here is left, what others hold unspent is not. */
export function leftOf(counter: Counter, limit: number): number {
  if (counter.isOver) return 0;
  return Math.max(0, limit - counter.othersTaken - wanted(counter) + counter.unspent);
}

/** The document with another own share. A writer that has nothing counted leaves no trace. */
export function withShare(
  { place, day, others, uses }: Counter,
  writer: string,
  share: number,
  isNearlyFull: boolean,
): QuotaDay {
  const shares = share === 0 ? others : { ...others, [writer]: share };
  const keys = Object.fromEntries(
    uses.map(({ keyId, stored, minute, untold }) => [keyId, [Math.max(0, stored + untold), minute] as const]),
  );
  return { place, day, shares, keys, ...(isNearlyFull && { isNearlyFull }) };
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

/** Whether the store is to be written to, and not only when the place is idle. */
export function isPending(counter: Counter): boolean {
  return counter.owed > 0 || (counter.unspent > 0 && !mayHold(counter)) || !isStored(counter);
}

/** Whether the store has the own share as it shall be, as far as is known. */
function isStored({ own, stored, version }: Counter): boolean {
  return own === null || (own === stored && version !== undefined);
}
