/** What a client may send, and how slowly: docs/reference/api.md says the same. */

/** Request line and header fields together. */
export const MAX_HEADER_BYTES = 8192;
export const MAX_HEADER_FIELDS = 100;
/** For all headers to arrive. */
export const HEADERS_TIMEOUT_MS = 10_000;
/** For a whole request to arrive, and for a whole response to be taken. */
export const REQUEST_TIMEOUT_MS = 15_000;
/** How often those are looked at. */
export const CHECKING_INTERVAL_MS = 2000;
export const KEEP_ALIVE_MS = 5000;
export const MAX_CONNECTIONS = 10_000;
/** Of answers that nobody seems to read, for all connections together. */
export const MAX_UNREAD_BYTES = 64 * 2 ** 20;
/** After a failure of a store, in seconds. */
export const RETRY_AFTER_S = 2;
/** Where a key has too many searches at work, in seconds. */
export const KEY_BUSY_RETRY_S = 1;
