import type { CollectionSpec, Stored, Version } from '../../stores/documents/port.ts';

/** One document for each place of an account and UTC day: `2026-11-20/acme/1`. */
export const QUOTA: CollectionSpec = { name: 'quota', indexes: [['place', '-day']] };

/**
 * What each writer (a process, under a random name of its own) says of a day. Only the writer changes its own part, so
 * reading the document tells a writer whether a write of its own was applied, whoever has written since.
 */
export interface QuotaDay {
  /** `acme/1`. */
  readonly place: string;
  readonly day: string;
  /**
   * Each writer's share: the requests that it has granted, and those that it holds unspent, in advance. What is taken of
   * the day is the sum of the shares.
   */
  readonly shares: Readonly<Record<string, number>>;
  /** What each writer has granted to whom, as far as it was known when that writer wrote last. */
  readonly uses: Readonly<Record<string, KeyUses>>;
  /** Whether little was left once: from then on nobody holds anything, and everybody counts one by one. */
  readonly isNearlyFull?: true;
}

/** By the id of the key: its requests, and the minute of the day, 0 to 1439, in which it was counted last. */
export type KeyUses = Readonly<Record<string, readonly [requests: number, minute: number]>>;

/**
 * What one writer knows of a document, and what it wants it to say. `share - spent` is unspent, and is granted without
 * asking the store. There may be a million of them.
 */
export interface Counter {
  readonly id: string;
  readonly place: string;
  readonly day: string;
  /** The version last read or written (null: absent); undefined where the document must be read first. */
  version: Version | null | undefined;
  /** What the others say. */
  others: Others;
  othersTaken: number;
  /** The own share as the store was known to have it last. */
  stored: number;
  /** The own share as the store has it at least, whatever became of writes without an answer. null: not read yet. */
  share: number | null;
  /** Requests that were granted, and not given back. Before the document was read: since this counter was made. */
  spent: number;
  /** Requests that wait for the store: first come, first granted. */
  waiting: Set<KeyRequest>;
  /** To whom requests were granted by this writer. */
  uses: KeyUses;
  /** As the document says, or somebody who called for what is held. */
  isNearlyFull: boolean;
  /**
   * Whether so many later days have been counted that the document of this one may be gone. Nothing can be counted on
   * it any more, nor given back to it.
   */
  isOver: boolean;
  /**
   * Monotonic milliseconds: when a request was granted last; when the day was found to be full; when others were called
   * (`Infinity` while they are, null where they have not been).
   */
  usedAt: number;
  fullAt: number;
  calledAt: number | null;
}

type Others = Pick<QuotaDay, 'shares' | 'uses'>;

/** A request of a key in a minute of the day. */
export interface KeyRequest {
  readonly keyId: string;
  readonly minute: number;
}

const NOBODY: Others = { shares: {}, uses: {} };
/** One for all that nobody waits for: there may be a million counters. */
const NONE = new Set<KeyRequest>();

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
    share: null,
    spent: 0,
    waiting: NONE,
    uses: {},
    isNearlyFull: false,
    isOver: false,
    usedAt: Number.NEGATIVE_INFINITY,
    fullAt: Number.NEGATIVE_INFINITY,
    calledAt: null,
  };
}

/** Has a request wait for the store, until what it waits for ends. */
export async function waitFor(counter: Counter, asking: KeyRequest, answer: Promise<void>): Promise<void> {
  if (counter.waiting === NONE) counter.waiting = new Set();
  counter.waiting.add(asking);
  try {
    await answer;
  } finally {
    counter.waiting.delete(asking);
    if (counter.waiting.size === 0) counter.waiting = NONE;
  }
}

/** What can be granted without asking the store, which has counted it. */
export function unspentOf({ share, spent }: Counter): number {
  return share === null ? 0 : share - spent;
}

/** Requests left in the day: what is unspent here is left, what others hold unspent is not. */
export function leftOf({ isOver, othersTaken, spent }: Counter, limit: number): number {
  return isOver ? 0 : Math.max(0, limit - othersTaken - spent);
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
  counter.othersTaken = Object.values(shares).reduce((sum, share) => sum + share, 0);
  counter.others = counter.othersTaken > 0 ? { shares, uses } : NOBODY;
  counter.isNearlyFull ||= document?.body.isNearlyFull === true;
  counter.stored = stored;
  if (counter.share !== null) return;
  // What a counter that was forgotten had granted.
  counter.share = stored;
  counter.spent += stored;
  for (const [keyId, [requests, minute]] of Object.entries(own))
    counter.uses = withUse(counter.uses, keyId, minute, requests);
}

/** Ends a day (see `isOver`), or begins it again where an operator has taken days out of the list. */
export function setOver(counter: Counter, isOver: boolean): void {
  if (!isOver && !counter.isOver) return;
  counter.isOver = isOver;
  counter.version = undefined;
  counter.share = null;
  counter.spent = 0;
}

/** With requests of a key in a minute of the day; below 0 those that are given back. */
export function withUse(uses: KeyUses, keyId: string, minute: number, requests: number): KeyUses {
  const [known, last] = uses[keyId] ?? [0, 0];
  return { ...uses, [keyId]: [known + requests, Math.max(last, minute)] };
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
  const { place, day, others } = counter;
  const marks = isNearlyFull && { isNearlyFull };
  if (share === 0) return { place, day, ...others, ...marks };
  const own = usesWith(counter, granted);
  return {
    place,
    day,
    shares: { ...others.shares, [writer]: share },
    uses: { ...others.uses, [writer]: own },
    ...marks,
  };
}

/** Those that will be granted are noted with their share: a place that asks once a day writes no second time. */
function usesWith({ uses, waiting }: Counter, granted: number): KeyUses {
  return [...waiting]
    .slice(0, granted)
    .reduce((noted, { keyId, minute }) => withUse(noted, keyId, minute, 1), uses);
}
