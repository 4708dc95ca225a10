import type { Clock } from '../platform/clock.ts';
import { RetryableError, UsageError } from '../platform/errors.ts';
import type { Instant } from '../platform/instant.ts';
import { newVersion, type CollectionSpec, type Documents, type Stored } from '../stores/documents/port.ts';
import { writeUntilAnswered } from './write-until-answered.ts';

/** Accounts: one document each, which lists the account's keys and is the only truth about them. */
export const ACCOUNTS: CollectionSpec = { name: 'accounts', indexes: [] };

export interface Account {
  /** Oldest first; of the revoked ones the newest `REVOKED_KEPT`. */
  readonly keys: readonly KeyRecord[];
}

export interface KeyRecord {
  readonly id: string;
  /** The keyed digest; the key itself is stored nowhere. */
  readonly digest: string;
  readonly label: string | null;
  readonly created_at: Instant;
  /** null while the key is active. */
  readonly revoked_at: Instant | null;
}

/** Revoked keys stay listed for the operator's memory, but not without end. */
const REVOKED_KEPT = 20;

/** A writer that has lost this often to others gives up; with 20 at once, each loses at most 19 times. */
const ATTEMPTS = 100;
const PROMPT_ATTEMPTS = 3;

const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** @throws {UsageError} where the text is no account name. */
export function checkAccountName(account: string): void {
  if (NAME.test(account)) return;
  throw new UsageError(
    'An account name is 1 to 64 characters: a-z, 0-9, ".", "_" and "-", the first one a letter or a digit.',
  );
}

/** The account as it stands, or null where it has never had a key. */
export async function readAccount(documents: Documents, account: string): Promise<Stored<Account> | null> {
  const found = await documents.get<Account>(ACCOUNTS.name, [account]);
  return found.get(account) ?? null;
}

export interface Change<Result> {
  /** The keys as they shall be; null leaves them as they are. */
  readonly keys: readonly KeyRecord[] | null;
  readonly result: Result;
}

/**
 * Changes an account's keys under the guard, and returns the result of the change that stands. `change` is called
 * again after a conflict, and must then recognise its own work: it may have been applied although the answer was lost.
 * @throws {RetryableError} where the store stays silent; the change may have been applied.
 */
export async function changeAccount<Result>(
  { documents, clock }: { readonly documents: Documents; readonly clock: Clock },
  account: string,
  change: (keys: readonly KeyRecord[]) => Change<Result>,
): Promise<Result> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    // A random pause takes writers that keep meeting each other apart.
    if (attempt > PROMPT_ATTEMPTS) await clock.sleep(Math.ceil(Math.random() * 20));
    const stored = await readAccount(documents, account);
    const { keys, result } = change(stored?.body.keys ?? []);
    if (keys === null) return result;
    const [outcome] = await writeUntilAnswered(documents, clock, ACCOUNTS.name, [
      { id: account, read: stored?.version ?? null, version: newVersion(), body: { keys: forgetOld(keys) } },
    ]);
    if (outcome === 'done') return result;
  }
  throw new RetryableError(`The account ${account} is being changed by too many others at once`);
}

export function isActive(key: KeyRecord): boolean {
  return key.revoked_at === null;
}

function forgetOld(keys: readonly KeyRecord[]): readonly KeyRecord[] {
  const revoked = keys.filter((key) => !isActive(key)).sort(byRevocation);
  const forgotten = new Set(revoked.slice(0, -REVOKED_KEPT));
  return keys.filter((key) => !forgotten.has(key));
}

function byRevocation(a: KeyRecord, b: KeyRecord): number {
  const [left, right] = [a.revoked_at ?? '', b.revoked_at ?? ''];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
