import { instantAt, type Instant } from '../../platform/time/instant.ts';
import { readDocument, removeAll, replaceDocument } from '../../stores/documents/change-document.ts';
import {
  ACCOUNTS,
  changeAccount,
  isActive,
  KEYS,
  shownKey,
  type Account,
  type KeysChange,
  type KeyRecord,
  type KeyPointer,
  type ShownKey,
} from './account-document.ts';
import {
  addKey,
  replaceKey,
  type NewKeyRecord,
  type KeyLimit,
  type NewKey,
  type ReplaceRefusal,
} from './key-placement.ts';
import { CHANGING_MS, createKeyCheck, type KeyCheckOptions } from './check-key.ts';
import { keyDigest, newKey, newKeyId } from './key-format.ts';
import { QUOTA } from '../quota/quota-day-document.ts';
import { readUsage, type Usage } from '../quota/usage.ts';
import { KEY_NOTICES, postNotice } from '../instance-notices.ts';
import { checkAccountName, checkKeyId, checkLabel, checkOverlap } from './input-checks.ts';

export type Keys = ReturnType<typeof createKeys>;

interface RotateOptions {
  /** What the new key is for, 1 to 100 characters. */
  readonly label?: string | undefined;
  /** How long both keys work, in milliseconds, up to 90 days; 0 ends the old one at once. */
  readonly overlapMs: number;
}

type CreateResult = ({ readonly outcome: 'created'; readonly key: string } & ShownKey) | KeyLimit;

/** `label` is that of the old key where none was given. */
type RotateResult =
  | ({ readonly outcome: 'rotated'; readonly key: string; readonly oldEndsAt: Instant } & ShownKey)
  | ReplaceRefusal;

interface KeysOptions extends Omit<KeyCheckOptions, 'digest'> {
  /**
   * The secret under which keys are digested: the same for all instances, and for as long as keys shall live. null: no
   * key can be made or checked.
   */
  readonly pepper: string | null;
}

/**
 * API keys on a documents store. Every method may throw the store's errors; `RetryableError` where it is down.
 * @throws {UsageError} where the pepper is empty.
 */
export function createKeys({ pepper, ...options }: KeysOptions) {
  const { documents, clock } = options;
  const digest = keyDigest(pepper);

  return {
    /** Declares the collections. Idempotent; before the first use of the others. */
    async declare(): Promise<void> {
      for (const collection of [ACCOUNTS, KEYS, KEY_NOTICES, QUOTA]) await documents.declare(collection);
    },

    /** Accounts that have, or had, keys, by name, and how many of those that are listed have ended. Reads them all. */
    async accounts() {
      const now = await documents.now();
      const found = [];
      for await (const batch of documents.scan<Account>(ACCOUNTS.name)) {
        for (const { id, body } of batch) {
          const activeKeys = body.keys.filter((key) => isActive(key, now)).length;
          found.push({ account: id, activeKeys, endedKeys: body.keys.length - activeKeys });
        }
      }
      return found;
    },

    /**
     * What an account has used on the last days, today included, by the store's clock, and when its keys were used last.
     * @throws {UsageError} where the name is not acceptable.
     */
    async usage(account: string, days: number): Promise<Usage> {
      checkAccountName(account);
      return await readUsage(documents, account, days);
    },

    /** Whose key this is. A malformed one is refused without a read. */
    check: createKeyCheck({ ...options, digest }),

    /**
     * A secret that all instances share, for something else than keys: 43 characters, the same for one purpose for as long as
     * the pepper is. It tells nothing of the pepper, nor of the secret for another purpose.
     * @throws {PermanentError} where there is no pepper.
     */
    // No key looks like this, so no secret is the digest of one.
    secretFor: (purpose: string): string => digest(`purpose: ${purpose}`),

    /**
     * A new key for an account, in a free place. Its text is in the answer and nowhere else.
     * After a `RetryableError` the account may list a key that nobody has seen: `list` shows it, `revoke` frees its place.
     * @throws {UsageError} where the name or the label is not acceptable.
     */
    async create(account: string, { label }: Pick<RotateOptions, 'label'> = {}): Promise<CreateResult> {
      checkAccountName(account);
      checkLabel(label);
      const { key, result } = await add(account, label, addKey);
      if (result.outcome !== 'added') return result;
      return { outcome: 'created', key, ...shownKey(result.record) };
    },

    /**
     * A new key in the place of another one, which ends after the overlap by the store's clock: every instance then
     * refuses it within 2 s. One write does both. After a `RetryableError` it may have been done, as with `create`.
     * @throws {UsageError} where the name, the id, the label or the overlap is not acceptable.
     */
    async rotate(account: string, id: string, { overlapMs, label }: RotateOptions): Promise<RotateResult> {
      checkAccountName(account);
      checkKeyId(id);
      checkLabel(label);
      checkOverlap(overlapMs);
      const { key, now, result } = await announced(account, () =>
        add(account, label, (keys, fresh, at) => replaceKey(keys, fresh, at, { id, overlapMs })),
      );
      if (result.outcome !== 'added') return result;
      const oldEndsAt = instantAt(now + overlapMs);
      return { outcome: 'rotated', key, oldEndsAt, ...shownKey(result.record) };
    },

    /**
     * Ends a key: refused by every instance within 2 s. Idempotent; false where the account has no such key to end.
     * @throws {UsageError} where the account's name or the id is not acceptable.
     */
    async revoke(account: string, id: string): Promise<boolean> {
      checkAccountName(account);
      checkKeyId(id);
      const now = await documents.now();
      const at = instantAt(now);
      const key = await announced(account, () =>
        changeKey(account, id, now, (found) => (isActive(found, now) ? { ...found, revoked_at: at } : null)),
      );
      if (!key || key.revoked_at === null) return false;
      await removeAll(documents, KEYS.name, [key.digest]);
      return true;
    },

    /**
     * Gives a key another label, whether it works or has ended; null takes it away. Idempotent; false where there is none.
     * @throws {UsageError} where the account's name, the id or the label is not acceptable.
     */
    async name(account: string, id: string, label: string | null): Promise<boolean> {
      checkAccountName(account);
      checkKeyId(id);
      checkLabel(label ?? undefined);
      const now = await documents.now();
      const named = await changeKey(account, id, now, (key) =>
        key.label === label ? null : { ...key, label },
      );
      return named !== null;
    },

    /**
     * The keys of an account, oldest first: all active ones and the last 20 that have ended.
     * @throws {UsageError} where the name is not acceptable.
     */
    async list(account: string): Promise<readonly ShownKey[]> {
      checkAccountName(account);
      const stored = await readDocument<Account>(documents, ACCOUNTS.name, account);
      return (stored?.body.keys ?? []).map(shownKey);
    },
  };

  /**
   * Ends keys of an account, with a notice before it: instances then look at the account itself for `CHANGING_MS`. A change
   * that took longer has a second one, before anybody is told what became of it.
   */
  async function announced<Result>(account: string, change: () => Promise<Result>): Promise<Result> {
    const began = [clock.monotonic(), clock.now()] as const;
    await postNotice(documents, KEY_NOTICES, [account]);
    try {
      return await change();
    } finally {
      const took = Math.max(clock.monotonic() - began[0], Math.abs(clock.now() - began[1]));
      if (took > CHANGING_MS / 2) await postNotice(documents, KEY_NOTICES, [account]);
    }
  }

  /** Changes one key, null where it stays as it is, and returns it as it stands then; null where there is none. */
  async function changeKey(
    account: string,
    id: string,
    now: number,
    change: (key: KeyRecord) => KeyRecord | null,
  ): Promise<KeyRecord | null> {
    return await changeAccount<KeyRecord | null>(documents, account, now, (keys) => {
      const found = keys.find((key) => key.id === id);
      const changed = found ? change(found) : null;
      if (!found || !changed) return { keys: null, result: found ?? null };
      return { keys: keys.map((key) => (key === found ? changed : key)), result: changed };
    });
  }

  /** Makes a key and lists it as `change` says, by the store's clock. What it refuses leaves nothing behind. */
  async function add<Refusal extends { readonly outcome: string }>(
    account: string,
    label: string | undefined,
    change: (keys: readonly KeyRecord[], fresh: NewKey, now: number) => KeysChange<NewKeyRecord | Refusal>,
  ): Promise<{ readonly key: string; readonly now: number; readonly result: NewKeyRecord | Refusal }> {
    const now = await documents.now();
    const key = newKey();
    const fresh: NewKey = {
      id: newKeyId(),
      digest: digest(key),
      label: label ?? null,
      created_at: instantAt(now),
      revoked_at: null,
    };
    const known = (await readDocument<Account>(documents, ACCOUNTS.name, account))?.body.keys ?? [];
    const expected = change(known, fresh, now);
    if (expected.keys === null) return { key, now, result: expected.result };

    // Nobody takes a pointer away when a key expires; and here a failure has cost nothing yet.
    const ended = known.filter((one) => !isActive(one, now)).map((one) => one.digest);
    if (ended.length > 0) await removeAll(documents, KEYS.name, ended);
    await replaceDocument(documents, KEYS.name, { id: fresh.digest }, { account } satisfies KeyPointer);
    const result = await changeAccount<NewKeyRecord | Refusal>(documents, account, now, (keys) => {
      // It may be there already: the answer was lost.
      const record = keys.find(({ id }) => id === fresh.id);
      return record ? { keys: null, result: { outcome: 'added', record } } : change(keys, fresh, now);
    });
    if (result.outcome !== 'added') await removeAll(documents, KEYS.name, [fresh.digest]);
    return { key, now, result };
  }
}
