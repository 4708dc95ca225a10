import { RetryableError } from '../platform/errors.ts';
import { wrapCalls } from './wrap-calls.ts';
import type { Documents, ReadOptions } from './documents/port.ts';

/** How long a request waits for all stores together, in milliseconds, before it is answered with 503. */
export const STORE_LIMIT_MS = 2000;

/**
 * The moment until which a request waits for stores: one for all that it asks of them, in any order. What
 * several requests share, such as a snapshot, has a limit of its own beside it.
 */
export interface Deadline {
  /** In milliseconds; 0 once it has passed. */
  leftMs(): number;
  /** The outcome of the work, or a `RetryableError` once the deadline has passed. The work itself goes on. */
  within<T>(work: Promise<T>): Promise<T>;
}

/** `now` in milliseconds from any fixed moment; never goes back. */
export function createDeadline(ms: number, now: () => number = () => performance.now()): Deadline {
  const end = now() + ms;
  const leftMs = () => Math.max(0, end - now());
  return {
    leftMs,
    within: (work) => withTimeLimit(work, leftMs(), `The stores took longer than ${ms} ms together`),
  };
}

/**
 * The outcome of the work, or a `RetryableError` after `ms`. The work itself is not ended: its late outcome is ignored.
 */
export function withTimeLimit<T>(
  work: Promise<T>,
  ms: number,
  reason = `A store took longer than ${ms} ms`,
): Promise<T> {
  // By hand: each request comes here several times, and a race makes four more promises.
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const timer = setTimeout(() => reject(new RetryableError(reason)), ms);
  work.then(
    (value) => {
      clearTimeout(timer);
      resolve(value);
    },
    (thrown: unknown) => {
      clearTimeout(timer);
      reject(thrown);
    },
  );
  return promise;
}

/** What the API reads of the documents store. */
export type ReadDocuments = Pick<Documents, 'get' | 'versions' | 'find' | 'count' | 'scan' | 'now'>;

/** What readers see of a read model's document: the rest, often the larger part, is what its view is made of. */
export const VIEW: ReadOptions = { keys: ['view'] };

/** The same documents, none of whose calls takes longer than `ms`. */
export function limitedDocuments(documents: ReadDocuments, ms: number): ReadDocuments {
  return wrapCalls(documents, (call) => withTimeLimit(call(), ms));
}
