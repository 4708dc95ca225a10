import { RetryableError } from '../../platform/errors.ts';
import type { Documents, Stored } from '../../stores/documents/port.ts';

/** How long a request waits for one call of a store, in milliseconds, before it is answered with 503. */
export const STORE_LIMIT_MS = 2000;

/**
 * The outcome of the work, or a `RetryableError` after `ms`. The work itself is not ended: its late outcome is ignored.
 */
export async function withTimeLimit<T>(work: Promise<T>, ms: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new RetryableError(`A store took longer than ${ms} ms`)), ms);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** What the API reads of the documents store. */
export type ReadDocuments = Pick<Documents, 'get' | 'versions' | 'find' | 'count' | 'scan' | 'now'>;

/** The same documents, none of whose calls takes longer than `ms`. */
export function limitedDocuments(documents: ReadDocuments, ms: number): ReadDocuments {
  return {
    get: (collection, ids) => withTimeLimit(documents.get(collection, ids), ms),
    versions: (collection, ids) => withTimeLimit(documents.versions(collection, ids), ms),
    find: (collection, query) => withTimeLimit(documents.find(collection, query), ms),
    count: (collection, query) => withTimeLimit(documents.count(collection, query), ms),
    now: () => withTimeLimit(documents.now(), ms),
    scan: <Body>(collection: string) => limitedBatches<Body>(documents.scan(collection), ms),
  };
}

async function* limitedBatches<Body>(
  batches: AsyncIterable<readonly Stored<Body>[]>,
  ms: number,
): AsyncGenerator<readonly Stored<Body>[]> {
  const iterator = batches[Symbol.asyncIterator]();
  for (;;) {
    const { done, value } = await withTimeLimit(iterator.next(), ms);
    if (done) return;
    yield value;
  }
}
