import { commandLine } from '../../platform/text/command-hint.ts';
import { UsageError } from '../../platform/errors.ts';
import { holdsKey } from '../../platform/text/sanitize.ts';

/** What people may write about keys. The messages repeat nothing of it: it may be a key, pasted into the wrong place. */

const LIST = commandLine('keys list --account NAME');
const ACCOUNT = /^[a-z0-9][a-z0-9._-]{0,63}$/;
const CONTROL = /\p{Cc}/u;

/** @throws {UsageError} where the text is no account name. */
export function checkAccountName(account: string): void {
  if (ACCOUNT.test(account) && !holdsKey(account)) return;
  throw new UsageError(
    'An account name is 1 to 64 characters: a-z, 0-9, ".", "_" and "-", the first one a letter or a digit.',
  );
}

/** @throws {UsageError} where the text is no label; none at all is fine. */
export function checkLabel(label: string | undefined): void {
  if (label === undefined) return;
  const length = Array.from(label).length;
  if (length < 1 || length > 100 || CONTROL.test(label)) {
    throw new UsageError('A label is 1 to 100 characters on one line.');
  }
  if (holdsKey(label)) throw new UsageError('A label is shown to everybody: it must not hold a key.');
}

/** @throws {UsageError} where the text cannot be the id of a key. */
export function checkKeyId(id: string): void {
  if (holdsKey(id)) throw new UsageError(`This is a key. Give its id, as "${LIST}" shows it: k_...`);
  if (/^k_[0-9A-Za-z]{1,32}$/.test(id)) return;
  throw new UsageError(`The id of a key is k_ and 10 letters or digits, as "${LIST}" shows it.`);
}

/** 90 days, in milliseconds: an operator who needs longer has not begun to replace the key. */
export const LONGEST_OVERLAP_MS = 90 * 86_400_000;

/** @throws {UsageError} where two keys shall not work side by side for so long. */
export function checkOverlap(overlapMs: number): void {
  if (Number.isSafeInteger(overlapMs) && overlapMs >= 0 && overlapMs <= LONGEST_OVERLAP_MS) return;
  throw new UsageError('Keys overlap for 0 to 90 days, in whole milliseconds.');
}
