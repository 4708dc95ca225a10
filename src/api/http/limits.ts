import { readFileSync } from 'node:fs';

/** What a client may send, and how slowly: docs/reference/api.md says the same. */

/** Request line and header fields together. */
export const MAX_HEADER_BYTES = 8192;
export const MAX_HEADER_FIELDS = 100;
const MAX_CONNECTIONS = 10_000;
/** Files that a process has open beside its connections, at most: stores, the admin port, programs that it starts. */
const OTHER_FILES = 256;
/** After a failure of a store, in seconds. */
export const RETRY_AFTER_S = 2;
/** Where a key has too many searches at work, in seconds. */
export const KEY_BUSY_RETRY_S = 1;

/** Times are in milliseconds. */
export const LIMITS = {
  /** For all headers to arrive. */
  headersTimeoutMs: 10_000,
  /** For a whole request to arrive, and for a whole response to be taken. */
  requestTimeoutMs: 15_000,
  /** How often those are looked at. */
  checkingIntervalMs: 2000,
  /** How long a connection may stand idle between two requests, unless the configuration says otherwise. */
  keepAliveMs: 75_000,
  /** The same while there is no place for another connection. */
  crowdedMs: 5000,
  /** Bytes that all connections together may have been sent without a sign that they were read. */
  maxUnreadBytes: 64 * 2 ** 20,
};

/**
 * How many connections an instance holds. Where the system gives it fewer open files than those take, all of its ports would
 * fall silent, as no connection can be accepted. Linux says how many it gives.
 */
export function maxConnections(limits: string = limitsOfSystem()): number {
  const files = Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Infinity);
  return Math.min(MAX_CONNECTIONS, files - Math.min(OTHER_FILES, Math.ceil(files / 2)));
}

function limitsOfSystem(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
}
