import { MongoBulkWriteError, MongoNetworkError, MongoStalePrimaryError, MongoSystemError } from 'mongodb';

/** A bulk write hides in an error of its own what stopped it: the connection, or the server as a whole. */
export function unwrapped(thrown: unknown): unknown {
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
