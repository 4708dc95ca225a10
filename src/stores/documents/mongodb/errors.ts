import {
  MongoAPIError,
  MongoBulkWriteError,
  MongoNetworkError,
  MongoParseError,
  MongoServerError,
  MongoStalePrimaryError,
  MongoSystemError,
} from 'mongodb';

import { messageOf, PermanentError, RetryableError } from '../../../platform/errors.ts';
import { ADVICE, codeOf, PERMANENT } from './error-codes.ts';

/** What became of a call, by the server's error codes: https://www.mongodb.com/docs/manual/reference/error-codes/ */

/** The driver's error as one of ours; ours, and errors that are not of MongoDB's making, pass through unchanged. */
export function translateMongo(hosts: string, thrown: unknown): Error {
  const cause = unwrapped(thrown);
  const code = codeOf(cause);
  if (code !== null) {
    const message = `MongoDB at ${hosts}: ${ADVICE[code] ?? messageOf(cause)}`;
    const isPermanent = PERMANENT.has(code) && !hasRetryableLabel(cause);
    return new (isPermanent ? PermanentError : RetryableError)(message, { cause });
  }
  if (isUnreachable(cause))
    return new RetryableError(`MongoDB at ${hosts} cannot be reached: ${messageOf(cause)}`, { cause });
  if (cause instanceof RetryableError || cause instanceof PermanentError) return cause;
  if (cause instanceof MongoAPIError || cause instanceof MongoParseError)
    return new PermanentError(`MongoDB at ${hosts}: ${cause.message}`, { cause });
  if (cause instanceof Error && cause.name.startsWith('Mongo'))
    return new RetryableError(`MongoDB at ${hosts}: ${cause.message}`, { cause });
  return cause instanceof Error ? cause : new Error(String(cause));
}

function hasRetryableLabel(thrown: unknown): boolean {
  return (
    thrown instanceof MongoServerError &&
    ['RetryableWriteError', 'RetryableError', 'SystemOverloadedError'].some((label) =>
      thrown.hasErrorLabel(label),
    )
  );
}

/** A bulk write hides in an error of its own what stopped it: the connection, or the server as a whole. */
function unwrapped(thrown: unknown): unknown {
  const inner = thrown instanceof MongoBulkWriteError ? (thrown.errorResponse as unknown) : null;
  return inner instanceof Error ? inner : thrown;
}

/** Errors that the driver does not export: no connection was free in time, its server has left the replica set, or
 * there never was one. */
const UNAVAILABLE: ReadonlySet<string> = new Set([
  'MongoWaitQueueTimeoutError',
  'MongoPoolClosedError',
  'MongoServerClosedError',
  'MongoTopologyClosedError',
]);

/** Whether a call ended without an answer: by its connection, or because there was none to be had. */
export function isUnreachable(thrown: unknown): boolean {
  const cause = unwrapped(thrown);
  return (
    cause instanceof MongoNetworkError ||
    // No server to choose is one of these.
    cause instanceof MongoSystemError ||
    cause instanceof MongoStalePrimaryError ||
    (cause instanceof Error && UNAVAILABLE.has(cause.name)) ||
    // The driver passes on as it is what a socket throws at a write.
    (cause instanceof Error && 'syscall' in cause)
  );
}
