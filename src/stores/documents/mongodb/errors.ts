import { MongoAPIError, MongoParseError, MongoServerError, MongoWriteConcernError } from 'mongodb';

import { messageOf, PermanentError, RetryableError } from '../../../platform/errors.ts';
import { ADVICE, PERMANENT } from './error-codes.ts';
import { isUnreachable, unwrapped } from './unreachable.ts';

/** What became of a call, by the server's error codes: https://www.mongodb.com/docs/manual/reference/error-codes/ */

/** The driver's error as one of ours; ours, and errors that are not of MongoDB's making, pass through unchanged. */
export function translateMongo(hosts: string, thrown: unknown): Error {
  const cause = unwrapped(thrown);
  const code = codeOf(cause);
  if (code !== null) {
    const message = `MongoDB at ${hosts}: ${ADVICE[code] ?? messageOf(cause)}`;
    return PERMANENT.has(code) && !hasRetryableLabel(cause)
      ? new PermanentError(message, { cause })
      : new RetryableError(message, { cause });
  }
  if (isUnreachable(cause)) {
    return new RetryableError(`MongoDB at ${hosts} cannot be reached: ${messageOf(cause)}`, { cause });
  }
  if (cause instanceof RetryableError || cause instanceof PermanentError) return cause;
  if (cause instanceof MongoAPIError || cause instanceof MongoParseError) {
    return new PermanentError(`MongoDB at ${hosts}: ${cause.message}`, { cause });
  }
  if (cause instanceof Error && cause.name.startsWith('Mongo')) {
    return new RetryableError(`MongoDB at ${hosts}: ${cause.message}`, { cause });
  }
  return cause instanceof Error ? cause : new Error(String(cause));
}

/** The server's code; null where the error is not of the server's making. */
export function codeOf(thrown: unknown): number | null {
  if (thrown instanceof MongoWriteConcernError) return Number(thrown.result['writeConcernError'].code);
  return thrown instanceof MongoServerError && typeof thrown.code === 'number' ? thrown.code : null;
}

function hasRetryableLabel(thrown: unknown): boolean {
  return (
    thrown instanceof MongoServerError &&
    ['RetryableWriteError', 'RetryableError', 'SystemOverloadedError'].some((label) =>
      thrown.hasErrorLabel(label),
    )
  );
}

/** What a call answers; undefined where it failed only because somebody else was first. */
export async function unless<T>(code: number, call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (thrown) {
    if (codeOf(thrown) !== code) throw thrown;
    return undefined;
  }
}
