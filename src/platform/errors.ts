/** Errors are typed by what to do next; a vendor's own errors end at its adapter, which keeps them as `cause`. */

/** A dependency failed in a way that the same call may survive later: unreachable, busy, full, too slow. */
export class RetryableError extends Error {
  override readonly name = 'RetryableError';
}

/**
 * A dependency does not accept who we are. It may pass (a gateway in trouble answers the same), so a running process
 * goes on trying; one that starts gives up after half a minute of nothing else: the password is wrong.
 */
export class AccessRefused extends RetryableError {}

/** No repetition helps until somebody fixes the cause: damaged data, a busy port, a missing index. */
export class PermanentError extends Error {
  override readonly name = 'PermanentError';
}

/** A wrong flag, argument or environment variable. Its message is one line that says what is accepted. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The code of an error of the system or of Node, such as `ENOENT`; null where it has none. */
export function codeOf(thrown: unknown): string | null {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : null;
}

/** The message of whatever was thrown, for one line of output. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
