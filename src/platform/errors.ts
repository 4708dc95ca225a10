/** Errors are typed by what to do next; a vendor's own errors end at its adapter, which keeps them as `cause`. */

/** A dependency failed in a way that the same call may survive later: unreachable, busy, full, too slow. */
export class RetryableError extends Error {
  override readonly name = 'RetryableError';
}

/** No repetition helps: damaged data, a missing index, a fault in our own code. */
export class PermanentError extends Error {
  override readonly name = 'PermanentError';
}

/** The person at the terminal can mend it: a flag, a variable, a file, a port. Its message is one line that says how. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The message of whatever was thrown, for one line of output. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
