import type { Clock } from '../../platform/clock.ts';
import { messageOf, RetryableError } from '../../platform/errors.ts';
import { unixMs } from '../../platform/instant.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Documents } from '../../stores/documents/port.ts';
import { isActive, placeName, readAccount, type KeyRecord } from './accounts.ts';
import { fingerprintOf, isWellFormed, sameDigest, type KeyDigest } from './format.ts';
import { pointerOfDigest } from './pointers.ts';
import { createStoreTime } from '../../stores/store-time.ts';

/**
 * Finds the account of a key, at every request.
 *
 * Only active keys are remembered, so that a key works as soon as it was made and unknown ones take no memory; by their
 * fingerprints, so that none of them stands in memory. A remembered key is
 * - fresh for `FRESH_MS` after the start of the read that confirmed it: answered without a read, and towards the end of that
 *   time confirmed beside it, so that a key in steady use waits for no read;
 * - due after that: answered by a read, one for all who wait; forgotten where the read finds it revoked;
 * - in outage when a due read failed or took too long: answered from the last good copy until `LAST_GOOD_MS` after its
 *   confirmation, while a read in the background is tried once in `RETRY_MS`; a read that succeeds ends the outage;
 * - over, in each of them, from the moment at which it expires: refused, also while the store is down.
 */
interface KeyChecks {
  check(raw: string): Promise<KeyCheck>;
}

export type KeyCheck = ActiveKey | { readonly outcome: 'refused' };

interface ActiveKey {
  readonly outcome: 'active';
  readonly keyId: string;
  readonly account: string;
  /** What its requests are counted by. */
  readonly place: string;
}

const FRESH_MS = 1000;
/** How long after its confirmation a key that is used is confirmed again beside its requests. */
const AHEAD_MS = 750;
const LAST_GOOD_MS = 60_000;
const RETRY_MS = 1000;
/** How long a request with a remembered key waits for a read. With `FRESH_MS`: a revocation holds within 2 s. */
const PATIENCE_MS = 900;

/** Remembered keys; the one confirmed longest ago is forgotten first. */
const REMEMBERED = 10_000;

const REFUSED: KeyCheck = { outcome: 'refused' };

interface KeyCheckOptions {
  readonly documents: Documents;
  readonly digest: KeyDigest;
  readonly clock: Clock;
  readonly logger?: Logger | undefined;
}

interface Remembered {
  readonly answer: ActiveKey;
  readonly digest: string;
  confirmedAt: number;
  /** When the store is tried next; null outside an outage. */
  retryAt: number | null;
  /** Whether that was tried since it was confirmed. */
  isConfirmedAhead: boolean;
  /** When it expires, by our own clock beside the store's at the confirmation; infinity where never. */
  readonly endsAt: number;
}

/**
 * The answer's errors are the store's: `RetryableError` where it is down and the key is not remembered, or was
 * confirmed too long ago.
 */
export function createKeyCheck({ documents, digest, clock, logger }: KeyCheckOptions): KeyChecks {
  const remembered = new Map<string, Remembered>();
  const reads = new Map<string, Promise<KeyCheck>>();
  const storeTime = createStoreTime(documents, clock);
  let outageLogged = false;

  return {
    async check(raw) {
      const fingerprint = fingerprintOf(raw);
      if (fingerprint === null) return REFUSED;
      const known = remembered.get(fingerprint);
      if (!known) return isWellFormed(raw) ? await read(fingerprint, () => digest(raw)) : REFUSED;
      const now = clock.monotonic();
      if (isWithin(FRESH_MS, known.confirmedAt, now)) {
        confirmAhead(fingerprint, known, now);
        return answerOf(known, now);
      }
      if (known.retryAt === null || !isWithin(LAST_GOOD_MS, known.confirmedAt, now)) {
        return await readOrLastGood(fingerprint, known);
      }
      if (now >= known.retryAt) {
        known.retryAt = now + RETRY_MS;
        readAgain(fingerprint, known).catch((thrown: unknown) => noteOutage(known, thrown));
      }
      return answerOf(known, now);
    },
  };

  function confirmAhead(fingerprint: string, known: Remembered, now: number): void {
    if (known.isConfirmedAhead || isWithin(AHEAD_MS, known.confirmedAt, now)) return;
    known.isConfirmedAhead = true;
    // A failure is met by whoever asks once it is due.
    readAgain(fingerprint, known).catch(() => undefined);
  }

  async function readOrLastGood(fingerprint: string, known: Remembered): Promise<KeyCheck> {
    try {
      return await inTime(clock, readAgain(fingerprint, known));
    } catch (thrown) {
      if (!(thrown instanceof RetryableError)) throw thrown;
      noteOutage(known, thrown);
      const now = clock.monotonic();
      if (!isWithin(LAST_GOOD_MS, known.confirmedAt, now)) throw thrown;
      return answerOf(known, now);
    }
  }

  function noteOutage(known: Remembered, cause: unknown): void {
    known.retryAt = clock.monotonic() + RETRY_MS;
    // Once for all keys: they share the store.
    if (!outageLogged)
      logger?.warn({ reason: messageOf(cause) }, 'known keys work from their last good copies');
    outageLogged = true;
  }

  function readAgain(fingerprint: string, known: Remembered): Promise<KeyCheck> {
    return read(fingerprint, () => known.digest);
  }

  /** One read at a time for each key. */
  function read(fingerprint: string, digestOf: () => string): Promise<KeyCheck> {
    const underWay = reads.get(fingerprint);
    if (underWay) return underWay;
    const started = readStore(fingerprint, digestOf()).finally(() => reads.delete(fingerprint));
    reads.set(fingerprint, started);
    return started;
  }

  async function readStore(fingerprint: string, sought: string): Promise<KeyCheck> {
    const startedAt = clock.monotonic();
    const known = remembered.get(fingerprint);
    const account = known?.answer.account ?? (await pointerOfDigest(documents, sought))?.body.account;
    const record = account === undefined ? undefined : await findRecord(documents, account, sought);
    const endsAt = record ? await endOf(record) : null;
    if (outageLogged) logger?.info('keys are confirmed again');
    outageLogged = false;
    remembered.delete(fingerprint);
    if (account === undefined || !record || endsAt === null) return REFUSED;
    const answer: ActiveKey = {
      outcome: 'active',
      keyId: record.id,
      account,
      place: placeName(account, record.place),
    };
    const confirmed = { confirmedAt: startedAt, retryAt: null, isConfirmedAhead: false };
    remembered.set(fingerprint, { answer, digest: sought, ...confirmed, endsAt });
    forgetOldest(remembered);
    return answer;
  }

  /** By our own clock; null where the key has ended. Most keys never expire, and need no look at the store's clock. */
  async function endOf(record: KeyRecord): Promise<number | null> {
    const { expires_at } = record;
    if (expires_at === undefined) return isActive(record, 0) ? Number.POSITIVE_INFINITY : null;
    const stores = await storeTime.now();
    return isActive(record, stores) ? clock.monotonic() + unixMs(expires_at) - stores : null;
  }
}

function answerOf({ answer, endsAt }: Remembered, now: number): KeyCheck {
  return now < endsAt ? answer : REFUSED;
}

/** Whether no more than `spanMs` lie between then and now. */
function isWithin(spanMs: number, then: number, now: number): boolean {
  return now - then <= spanMs;
}

async function inTime(clock: Clock, work: Promise<KeyCheck>): Promise<KeyCheck> {
  const settled = new AbortController();
  try {
    const late = clock.sleep(PATIENCE_MS, settled.signal).then(() => null);
    const answer = await Promise.race([work, late]);
    if (answer === null) throw new RetryableError(`The documents store took more than ${PATIENCE_MS} ms`);
    return answer;
  } finally {
    // A reason of ours, because the one that a controller makes by itself takes the stack.
    settled.abort('in time');
  }
}

/** The account's document has the last word: a pointer that it does not answer opens nothing. */
async function findRecord(
  documents: Documents,
  account: string,
  digest: string,
): Promise<KeyRecord | undefined> {
  const stored = await readAccount(documents, account);
  return stored?.body.keys.find((key) => sameDigest(key.digest, digest));
}

function forgetOldest(remembered: Map<string, Remembered>): void {
  if (remembered.size <= REMEMBERED) return;
  const [oldest] = remembered.keys();
  if (oldest !== undefined) remembered.delete(oldest);
}
