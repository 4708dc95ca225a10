import type { Clock } from '../platform/clock.ts';
import { UsageError } from '../platform/errors.ts';
import { toInstant, type Instant } from '../platform/instant.ts';
import type { Logger } from '../platform/logger.ts';
import type { Documents } from '../stores/documents/port.ts';
import {
  ACCOUNTS,
  changeAccount,
  checkAccountName,
  isActive,
  readAccount,
  type KeyRecord,
} from './accounts.ts';
import { createKeyCheck, type KeyCheck } from './key-check.ts';
import { keyDigest } from './key-digest.ts';
import { newKey, newKeyId } from './key-format.ts';
import { KEYS, pointerOfDigest, pointerOfId, removePointer, writePointer } from './key-pointers.ts';

/** Active keys that one account may have. */
export const KEYS_PER_ACCOUNT = 5;

/** API keys. Every method may throw the store's errors; `RetryableError` where it is down. */
export interface Keys {
  /** Declares the collections. Idempotent; before the first use of the others. */
  declare(): Promise<void>;

  /**
   * A new key for an account. Its text is in the answer and nowhere else.
   * After a `RetryableError` the account may list a key that nobody has seen: `list` shows it, `revoke` frees its place.
   * @throws {UsageError} where the name or the label is not acceptable.
   */
  create(account: string, options?: CreateOptions): Promise<Created>;

  /**
   * Ends a key: refused by every instance within 2 s. Idempotent. `account` null: whichever account lists it.
   * @throws {UsageError} where the account's name is not acceptable.
   */
  revoke(account: string | null, id: string): Promise<Revoked>;

  /**
   * The keys of an account, oldest first: all active ones and the last 20 revoked ones.
   * @throws {UsageError} where the name is not acceptable.
   */
  list(account: string): Promise<readonly KeyInfo[]>;

  /** Whose key this is. A malformed one is refused without a read. */
  check(raw: string): Promise<KeyCheck>;
}

export interface CreateOptions {
  /** What the key is for, 1 to 100 characters. */
  readonly label?: string | undefined;
}

export type Created =
  | ({ readonly outcome: 'created'; readonly key: string } & KeyInfo)
  | { readonly outcome: 'limit_reached'; readonly limit: number };

export type Revoked =
  | { readonly outcome: 'revoked'; readonly account: string; readonly revokedAt: Instant }
  | { readonly outcome: 'unknown' };

/** What may be shown of a key, to anybody who may see the account. */
export interface KeyInfo {
  /** `k_` and 10 base62 characters; safe to log. */
  readonly id: string;
  readonly account: string;
  readonly label: string | null;
  readonly createdAt: Instant;
  /** null while the key is active. */
  readonly revokedAt: Instant | null;
}

export interface KeysOptions {
  readonly documents: Documents;
  /** The secret under which keys are digested: the same for all instances, and for as long as keys shall live. */
  readonly pepper: string;
  readonly clock: Clock;
  readonly logger?: Logger | undefined;
}

/**
 * Keys on a documents store.
 * @throws {UsageError} where the pepper is empty.
 */
export function createKeys({ documents, pepper, clock, logger }: KeysOptions): Keys {
  const digest = keyDigest(pepper);
  const stores = { documents, clock };

  return {
    async declare() {
      await documents.declare(ACCOUNTS);
      await documents.declare(KEYS);
    },

    check: createKeyCheck({ documents, digest, clock, logger }),

    async create(account, { label } = {}) {
      checkAccountName(account);
      checkLabel(label);
      const limit: Created = { outcome: 'limit_reached', limit: KEYS_PER_ACCOUNT };
      if (isFull((await readAccount(documents, account))?.body.keys ?? [])) return limit;

      const key = newKey();
      const record: KeyRecord = {
        id: newKeyId(),
        digest: digest(key),
        label: label ?? null,
        created_at: await now(),
        revoked_at: null,
      };
      await writePointer(documents, clock, record.digest, { key_id: record.id, account });
      const listed = await changeAccount(stores, account, (keys) => {
        if (keys.some(({ id }) => id === record.id)) return { keys: null, result: true };
        return isFull(keys) ? { keys: null, result: false } : { keys: [...keys, record], result: true };
      });
      if (listed) return { outcome: 'created', key, ...infoOf(account, record) };
      const pointer = await pointerOfDigest(documents, record.digest);
      if (pointer) await removePointer(documents, pointer);
      return limit;
    },

    async revoke(account, id) {
      if (account !== null) checkAccountName(account);
      const pointer = await pointerOfId(documents, id);
      const owner = account ?? pointer?.body.account;
      if (owner === undefined) return { outcome: 'unknown' };
      const at = await now();
      const revokedAt = await changeAccount(stores, owner, (keys) => {
        const found = keys.find((key) => key.id === id);
        if (!found || !isActive(found)) return { keys: null, result: found?.revoked_at ?? null };
        return { keys: keys.map((key) => (key === found ? { ...key, revoked_at: at } : key)), result: at };
      });
      // A pointer that no account answers yet may be a creation under way: it is left alone.
      if (revokedAt === null) return { outcome: 'unknown' };
      if (pointer) await removePointer(documents, pointer);
      return { outcome: 'revoked', account: owner, revokedAt };
    },

    async list(account) {
      checkAccountName(account);
      const stored = await readAccount(documents, account);
      return (stored?.body.keys ?? []).map((record) => infoOf(account, record));
    },
  };

  /** By the store's clock, which all who create and revoke share. */
  async function now(): Promise<Instant> {
    const instant = toInstant(await documents.now());
    if (instant === null) throw new Error("The documents store's clock is beyond the year 9999");
    return instant;
  }
}

const CONTROL = /\p{Cc}/u;

function checkLabel(label: string | undefined): void {
  if (label === undefined) return;
  const length = Array.from(label).length;
  if (length >= 1 && length <= 100 && !CONTROL.test(label)) return;
  throw new UsageError('A label is 1 to 100 characters on one line.');
}

function isFull(keys: readonly KeyRecord[]): boolean {
  return keys.filter(isActive).length >= KEYS_PER_ACCOUNT;
}

function infoOf(account: string, record: KeyRecord): KeyInfo {
  return {
    id: record.id,
    account,
    label: record.label,
    createdAt: record.created_at,
    revokedAt: record.revoked_at,
  };
}
