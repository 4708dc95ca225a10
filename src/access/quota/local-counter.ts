import type { Stored, Version } from '../../stores/documents/port.ts';
import { type KeyUses, type QuotaDay, withUse } from './quota-day-document.ts';

interface Others extends Pick<QuotaDay, 'shares' | 'uses'> {
  /** The sum of the shares. */
  readonly taken: number;
}

/** A use of `KeyUses`. Most places have one key. */
interface KeyUse {
  readonly keyId: string;
  requests: number;
  minute: number;
  next: KeyUse | null;
}

/** A request of a key in a minute of the day. */
export interface KeyRequest {
  readonly keyId: string;
  readonly minute: number;
}

const NOBODY: Others = { shares: {}, uses: {}, taken: 0 };
/** One for all that nobody waits for: there may be a million counters. */
export const NONE: Set<KeyRequest> = new Set();
/** Before any hour that a monotonic clock may show. A small integer takes no memory of its own, as `-Infinity` does. */
export const NEVER_S = -1_000_000;

/**
 * What one writer knows of a document, and what it wants it to say. `share - spent` is unspent, and is granted without
 * asking the store. There may be a million of them.
 */
export type Counter = ReturnType<typeof newCounter>;

export function newCounter(place: string, day: string) {
  return {
    /** `acme/1`: the text that the key check remembers. */
    place,
    day,
    /**
     * The version last read (null: absent), or the number of the batch that wrote last; undefined where the document must be
     * read first.
     */
    version: undefined as Version | number | null | undefined,
    /** What the others say. */
    others: NOBODY,
    /** The own share as the store was known to have it last. */
    stored: 0,
    /** The own share as the store has it at least, whatever became of writes without an answer. null: not read yet. */
    share: null as number | null,
    /** Requests that were granted, and not given back. Before the document was read: since this counter was made. */
    spent: 0,
    /** Requests that wait for the store: first come, first granted. */
    waiting: NONE,
    /** To whom requests were granted by this writer: the first of its keys. */
    uses: null as KeyUse | null,
    /** As the document says, or somebody who called for what is held. */
    isNearlyFull: false,
    /**
     * Whether so many later days have been counted that the document of this one may be gone. Nothing can be counted on
     * it any more, nor given back to it.
     */
    isOver: false,
    /** When a request was granted last: monotonic seconds, rounded down. */
    usedAtS: NEVER_S,
    /** When the day was found to be full: monotonic milliseconds; null where it was not. */
    fullAt: null as number | null,
  };
}

/** What can be granted without asking the store, which has counted it. */
export function unspentOf({ share, spent }: Counter): number {
  return share === null ? 0 : share - spent;
}

/** Requests left in the day: what is unspent here is left, what others hold unspent is not. */
export function leftOf({ isOver, others, spent }: Counter, limit: number): number {
  return isOver ? 0 : Math.max(0, limit - others.taken - spent);
}

/** Whether forgetting the counter loses nothing: the store has it all, nothing is held, and nobody waits for it. */
export function isSettled(counter: Counter): boolean {
  if (counter.share === null) return counter.spent === 0 && counter.waiting.size === 0;
  return unspentOf(counter) === 0 && isStored(counter) && counter.waiting.size === 0;
}

/** Whether the store has the own share as it shall be, as far as is known. */
export function isStored({ share, stored, version }: Counter): boolean {
  return share === stored && version !== undefined;
}

/** Takes over what the store has. What is wanted of it stands. */
export function adoptStored(counter: Counter, writer: string, document: Stored<QuotaDay> | undefined): void {
  const { [writer]: stored = 0, ...shares } = document?.body.shares ?? {};
  const { [writer]: own = {}, ...uses } = document?.body.uses ?? {};
  counter.version = document?.version ?? null;
  const taken = Object.values(shares).reduce((sum, share) => sum + share, 0);
  counter.others = taken > 0 ? { shares, uses, taken } : NOBODY;
  counter.isNearlyFull ||= document?.body.isNearlyFull === true;
  counter.stored = stored;
  if (counter.share !== null) return;
  // What a counter that was forgotten had granted.
  counter.share = stored;
  counter.spent += stored;
  for (const [keyId, [requests, minute]] of Object.entries(own)) noteUse(counter, keyId, minute, requests);
}

/** Ends a day (see `isOver`), or begins it again where an operator has taken days out of the list. */
export function setOver(counter: Counter, isOver: boolean): void {
  if (!isOver && !counter.isOver) return;
  counter.isOver = isOver;
  counter.version = undefined;
  counter.share = null;
  counter.spent = 0;
}

/** Notes requests of a key in a minute of the day; below 0 those that are given back. */
export function noteUse(counter: Counter, keyId: string, minute: number, requests: number): void {
  let use = counter.uses;
  while (use !== null && use.keyId !== keyId) use = use.next;
  if (use === null) {
    counter.uses = { keyId, requests, minute, next: counter.uses };
    return;
  }
  use.requests += requests;
  use.minute = Math.max(use.minute, minute);
}

/**
 * The document with another own share, which is to grant so many of those that wait. A writer that has nothing counted leaves
 * no trace.
 */
export function withShare(
  counter: Counter,
  writer: string,
  { share, granted, isNearlyFull }: { share: number; granted: number; isNearlyFull: boolean },
): QuotaDay {
  const { place, day } = counter;
  const { shares, uses } = counter.others;
  const marks = isNearlyFull && { isNearlyFull };
  if (share === 0) return { place, day, shares, uses, ...marks };
  const own = usesWith(counter, granted);
  return { place, day, shares: { ...shares, [writer]: share }, uses: { ...uses, [writer]: own }, ...marks };
}

/** Those that will be granted are noted with their share: a place that asks once a day writes no second time. */
function usesWith({ uses, waiting }: Counter, granted: number): KeyUses {
  let noted: KeyUses = {};
  for (let use = uses; use !== null; use = use.next)
    noted = withUse(noted, use.keyId, use.minute, use.requests);
  for (const { keyId, minute } of [...waiting].slice(0, granted)) noted = withUse(noted, keyId, minute, 1);
  return noted;
}
