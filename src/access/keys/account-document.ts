import { commandLine } from '../../platform/text/command-hint.ts';
import { messageOf, RetryableError } from '../../platform/errors.ts';
import { unixMs, type Instant } from '../../platform/time/instant.ts';
import { changeDocumentFor, ContentionError } from '../../stores/documents/change-document.ts';
import type { CollectionSpec, Documents } from '../../stores/documents/port.ts';

/** Accounts: one document each, which lists the account's keys and is the only truth about them. */
export const ACCOUNTS: CollectionSpec = { name: 'accounts', indexes: [] };

/**
 * Pointers, by a key's digest: from it to the account that may list it. A pointer opens nothing by itself, so it is written
 * before the account and removed after it: a crash in between leaves a pointer to nothing, never a key without a
 * pointer, and never a place taken among an account's keys.
 */
export const KEYS: CollectionSpec = { name: 'keys', indexes: [] };

export interface KeyPointer {
  readonly account: string;
}

export interface Account {
  /** Oldest first; of those that have ended the newest `ENDED_KEPT`. */
  readonly keys: readonly KeyRecord[];
}

export interface KeyRecord {
  /** `k_` and 10 base62 characters; safe to log. */
  readonly id: string;
  /** The keyed digest; the key itself is stored nowhere. */
  readonly digest: string;
  readonly label: string | null;
  /** Where it sits, 1 to `PLACES`: requests are counted by place. Keys that take each other's place share it. */
  readonly place: number;
  readonly created_at: Instant;
  /** null where nobody has revoked it. */
  readonly revoked_at: Instant | null;
  /** When it ends by itself, by the store's clock; absent where no other key is to take its place. */
  readonly expires_at?: Instant;
}

/** What may be shown of a key, to anybody who may see the account; `expires_at` null where it does not end by itself. */
export type ShownKey = Omit<KeyRecord, 'digest' | 'expires_at'> & { readonly expires_at: Instant | null };

export function shownKey({ id, label, place, created_at, revoked_at, expires_at }: KeyRecord): ShownKey {
  return { id, label, place, created_at, revoked_at, expires_at: expires_at ?? null };
}

/**
 * Permanent places of an account, and so the keys that it may have active, though two of them may share one. A key that is
 * being replaced counts until it has ended.
 */
export const PLACES = 5;

/** The name under which a place is counted: `acme/1`. No account's name holds a slash. */
export function placeName(account: string, place: number): string {
  return `${account}/${place}`;
}

/** The account of a place. */
export function accountOf(place: string): string {
  return place.slice(0, place.lastIndexOf('/'));
}

/** Keys that have ended stay listed for the operator's memory, but not without end. */
const ENDED_KEPT = 20;

export interface KeysChange<Result> {
  /** The keys as they shall be; null leaves them as they are. */
  readonly keys: readonly KeyRecord[] | null;
  readonly result: Result;
}

/**
 * Changes an account's keys under the guard, and returns the result of the change that stands. `change` is called
 * again after a conflict, and must then recognise its own work: it may have been applied although the answer was lost.
 * `now` is the store's time, Unix milliseconds.
 * @throws {RetryableError} where the store stays silent; the change may have been applied.
 */
export async function changeAccount<Result>(
  documents: Documents,
  account: string,
  now: number,
  change: (keys: readonly KeyRecord[]) => KeysChange<Result>,
): Promise<Result> {
  try {
    return await changeDocumentFor<Account, Result>(documents, ACCOUNTS.name, account, (stored) => {
      const { keys, result } = change(stored?.body.keys ?? []);
      return { body: keys && { keys: forgetOld(keys, now) }, result };
    });
  } catch (thrown) {
    if (!(thrown instanceof RetryableError) || thrown instanceof ContentionError) throw thrown;
    throw new RetryableError(
      `${messageOf(thrown)}. Whether the keys of ${account} were changed is not known: "${commandLine(`keys list --account ${account}`)}" shows it.`,
      { cause: thrown },
    );
  }
}

/**
 * Whether a key works at that time, Unix milliseconds by the store's clock. A revoked one never does, however that
 * clock is set.
 */
export function isActive({ revoked_at, expires_at = null }: KeyRecord | ShownKey, now: number): boolean {
  return revoked_at === null && (expires_at === null || now < unixMs(expires_at));
}

function forgetOld(keys: readonly KeyRecord[], now: number): readonly KeyRecord[] {
  const ended = keys.filter((key) => !isActive(key, now)).sort((a, b) => (endOf(a) < endOf(b) ? -1 : 1));
  const forgotten = new Set(ended.slice(0, -ENDED_KEPT));
  return keys.filter((key) => !forgotten.has(key));
}

/** When a key ended, or is to end; empty where it is not. */
export function endOf({ revoked_at, expires_at }: KeyRecord): Instant {
  return revoked_at ?? expires_at ?? '';
}
