import { getHeapStatistics } from 'node:v8';

import { type Clock, isFresh } from '../../platform/time/clock.ts';
import { messageOf, RetryableError } from '../../platform/errors.ts';
import { unixMs } from '../../platform/time/instant.ts';
import type { Logger } from '../../platform/logger.ts';
import { readDocument } from '../../stores/documents/change-document.ts';
import type { Documents } from '../../stores/documents/port.ts';
import { createStoreTime } from '../../stores/store-time.ts';
import { withTimeLimit } from '../../stores/time-limit.ts';
import { followNotices, KEY_NOTICES } from '../instance-notices.ts';
import {
  accountOf,
  ACCOUNTS,
  isActive,
  KEYS,
  placeName,
  type Account,
  type KeyRecord,
  type KeyPointer,
} from './account-document.ts';
import { fingerprintOf, isWellFormed, sameDigest, type KeyDigest } from './key-format.ts';

/** The requests of an active key are counted by its place. */
export type KeyCheck =
  | { readonly outcome: 'active'; readonly keyId: string; readonly place: string }
  | { readonly outcome: 'refused' };

/** How long after a notice an account may still be changed, in milliseconds. */
export const CHANGING_MS = 60_000;

const FRESH_MS = 1000;
/** How long after a look the next one begins beside the requests. */
const AHEAD_MS = 500;
const LAST_GOOD_MS = 60_000;
const RETRY_MS = 1000;
/** How long a request with a remembered key waits for the store. With `FRESH_MS`: a revocation holds within 2 s. */
const PATIENCE_MS = 900;
/**
 * A key is read again after so long, whatever looks have found: so much later at most holds what was changed without a
 * notice, by somebody who was killed between the two or by other means than ours.
 */
const READ_AGAIN_MS = 30 * 60_000;

/**
 * How many keys a process remembers at most, and how many counters of places: a million where the heap may take a gigabyte,
 * and fewer in less. A key and its place take half a kilobyte, so this is half of the heap at most.
 */
export const REMEMBERED = Math.min(1_000_000, Math.floor(getHeapStatistics().heap_size_limit / 1000));

const REFUSED: KeyCheck = { outcome: 'refused' };

export interface KeyCheckOptions {
  readonly documents: Documents;
  readonly digest: KeyDigest;
  readonly clock: Clock;
  readonly logger?: Logger | undefined;
  /** So many keys, those that were read last; `REMEMBERED` where not given. */
  readonly remembered?: number;
}

/** There may be a million of them. */
interface CachedKey {
  readonly keyId: string;
  readonly place: string;
  /** When the read that found it began: monotonic seconds, rounded down. */
  readonly readAtS: number;
  /** When it expires, by our own clock beside the store's at that read; null where never. */
  readonly endsAt: number | null;
}

/**
 * Finds the account of a key, at every request.
 *
 * Only active keys are remembered, so that a key works as soon as it was made and unknown ones take no memory; by their
 * fingerprints, so that none of them stands in memory. A remembered key is confirmed by a read of its account, and then by
 * every look at the notices (instance-notices.ts) that finds nothing about the account: one look for all keys of the process. It is
 * - fresh for `FRESH_MS` after the start of what confirmed it: answered at once; towards the end of that time the next look
 *   begins beside the requests;
 * - due after that: answered by a look, or by a read where a look does not confirm it; forgotten where the read finds it
 *   revoked;
 * - in outage when that failed or took too long: answered from the last good copy until `LAST_GOOD_MS` after its
 *   confirmation, while the store is tried in the background once in `RETRY_MS`; a success ends the outage;
 * - over, in each of them, from the moment at which it expires: refused, also while the store is down.
 *
 * Whoever ends a key posts a notice first, and changes the account within `CHANGING_MS`. So long after the notice,
 * looks confirm no key of the account; and no key at all so long after notices may have been missed, as at the first look.
 * They never confirm one that is to expire: the store's clock, by which it does, may be set, and only a read tells that.
 *
 * Throws the store's errors: `RetryableError` where it is down and the key is not remembered, or was confirmed too long ago.
 */
export function createKeyCheck(options: KeyCheckOptions): (raw: string) => Promise<KeyCheck> {
  const { documents, digest, clock, logger, remembered: most = REMEMBERED } = options;
  /** By their fingerprints; what was read longest ago is first. */
  const remembered = new Map<string, CachedKey>();
  /** Accounts that notices were about, and until when these may still change: monotonic milliseconds. */
  const changing = new Map<string, number>();
  const reads = new Map<string, Promise<KeyCheck>>();
  const storeTime = createStoreTime(documents, clock);
  /** Until when any account may still change by a notice that was missed. */
  let allChangingUntil = Number.NEGATIVE_INFINITY;
  /** When the store is tried next; null outside an outage. */
  let retryAt: number | null = null;

  const notices = followNotices(documents, clock, KEY_NOTICES, {
    told(accounts) {
      const now = clock.monotonic();
      for (const account of accounts) {
        changing.delete(account);
        changing.set(account, now + CHANGING_MS);
      }
      // Every key of theirs has been read again since.
      for (const [account, until] of changing) {
        if (now - until <= READ_AGAIN_MS) break;
        changing.delete(account);
      }
    },
    missed() {
      allChangingUntil = clock.monotonic() + CHANGING_MS;
    },
  });

  return check;

  async function check(raw: string): Promise<KeyCheck> {
    const fingerprint = fingerprintOf(raw);
    if (fingerprint === null) return REFUSED;
    const known = remembered.get(fingerprint);
    if (!known) return isWellFormed(raw) ? await read(fingerprint, raw) : REFUSED;
    const now = clock.monotonic();
    if (isConfirmed(known, now)) {
      // A failure is met by whoever asks once keys are due.
      if (!isFresh(notices.lookedAt, now, AHEAD_MS)) notices.look().catch(() => undefined);
      return answerOf(known, now);
    }
    const isGood = isFresh(confirmedAt(known), now, LAST_GOOD_MS);
    if (retryAt === null || !isGood) return await confirmOrLastGood(fingerprint, raw, known);
    if (now >= retryAt) {
      retryAt = now + RETRY_MS;
      confirm(fingerprint, raw).catch(noteOutage);
    }
    return answerOf(known, now);
  }

  function confirmedAt({ place, readAtS, endsAt }: CachedKey): number {
    const readAt = readAtS * 1000;
    const ownUntil = changing.size === 0 ? undefined : changing.get(accountOf(place));
    const isChanging = readAt < Math.max(allChangingUntil, ownUntil ?? Number.NEGATIVE_INFINITY);
    return isChanging || endsAt !== null ? readAt : Math.max(readAt, notices.lookedAt);
  }

  function isConfirmed(known: CachedKey, now: number): boolean {
    return isFresh(confirmedAt(known), now, FRESH_MS) && isFresh(known.readAtS * 1000, now, READ_AGAIN_MS);
  }

  async function confirmOrLastGood(fingerprint: string, raw: string, known: CachedKey): Promise<KeyCheck> {
    try {
      return await withTimeLimit(confirm(fingerprint, raw), PATIENCE_MS);
    } catch (thrown) {
      if (!(thrown instanceof RetryableError)) throw thrown;
      noteOutage(thrown);
      const now = clock.monotonic();
      if (!isFresh(confirmedAt(known), now, LAST_GOOD_MS)) throw thrown;
      return answerOf(known, now);
    }
  }

  async function confirm(fingerprint: string, raw: string): Promise<KeyCheck> {
    await notices.look();
    const known = remembered.get(fingerprint);
    const now = clock.monotonic();
    if (!known || !isConfirmed(known, now)) return await read(fingerprint, raw);
    noteSuccess();
    return answerOf(known, now);
  }

  function noteOutage(cause: unknown): void {
    // Once for all keys: they share the store.
    if (retryAt === null)
      logger?.warn({ reason: messageOf(cause) }, 'known keys work from their last good copies');
    retryAt = clock.monotonic() + RETRY_MS;
  }

  function noteSuccess(): void {
    if (retryAt !== null) logger?.info('keys are confirmed again');
    retryAt = null;
  }

  /** One read at a time for each key. */
  function read(fingerprint: string, raw: string): Promise<KeyCheck> {
    return reads.getOrInsertComputed(fingerprint, () =>
      readStore(fingerprint, raw).finally(() => reads.delete(fingerprint)),
    );
  }

  async function readStore(fingerprint: string, raw: string): Promise<KeyCheck> {
    // What is read before the first look would be confirmed by none.
    if (notices.lookedAt === Number.NEGATIVE_INFINITY) await notices.look();
    const startedAt = clock.monotonic();
    const known = remembered.get(fingerprint);
    const sought = digest(raw);
    const account = known
      ? accountOf(known.place)
      : (await readDocument<KeyPointer>(documents, KEYS.name, sought))?.body.account;
    const listed =
      account === undefined ? null : await readDocument<Account>(documents, ACCOUNTS.name, account);
    // The account's document has the last word: a pointer that it does not answer opens nothing.
    const record = listed?.body.keys.find((key) => sameDigest(key.digest, sought));
    const endsAt = record ? await endOf(record) : undefined;
    noteSuccess();
    remembered.delete(fingerprint);
    if (account === undefined || !record || endsAt === undefined) return REFUSED;
    // Neither ever changes. Counters have the very same texts, so they stand in memory once.
    const { keyId, place } = known ?? { keyId: record.id, place: placeName(account, record.place) };
    const found: CachedKey = { keyId, place, readAtS: Math.floor(startedAt / 1000), endsAt };
    remembered.set(fingerprint, found);
    // Many at once: whoever looks for the first entry of a `Map` passes all that were deleted before it.
    if (remembered.size > most)
      for (const longestAgo of remembered.keys().take(Math.ceil(most / 1000))) remembered.delete(longestAgo);
    return answerOf(found, clock.monotonic());
  }

  /** By our own clock, null for never; undefined where the key has ended. Most keys need no look at the store's clock. */
  async function endOf(record: KeyRecord): Promise<number | null | undefined> {
    const { expires_at } = record;
    if (expires_at === undefined) return isActive(record, 0) ? null : undefined;
    const stores = await storeTime.now();
    return isActive(record, stores) ? clock.monotonic() + unixMs(expires_at) - stores : undefined;
  }
}

function answerOf({ keyId, place, endsAt }: CachedKey, now: number): KeyCheck {
  if (endsAt !== null && now >= endsAt) return REFUSED;
  return { outcome: 'active', keyId, place };
}
