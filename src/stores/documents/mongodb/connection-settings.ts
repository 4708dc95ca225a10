import type { MongoClientOptions } from 'mongodb';

/** What the URL may say otherwise. */
export function settings(patienceMs: number): MongoClientOptions {
  return {
    appName: 'catalog-read-api',
    maxPoolSize: 20,
    connectTimeoutMS: 2 * patienceMs,
    // A call that gets no answer at all: the connection is closed and the call fails.
    socketTimeoutMS: 2 * patienceMs,
    serverSelectionTimeoutMS: patienceMs,
    waitQueueTimeoutMS: patienceMs,
    // How often it looks for a primary where there is none.
    minHeartbeatFrequencyMS: 1000,
  };
}

/**
 * What the guarantees of the port rest on, whatever the URL says.
 *
 * - Writes are acknowledged when a majority has them in its journal, so that neither a failover nor a power cut takes
 *   back what a caller was told.
 * - Reads are of the primary, with read concern `local`: a primary has every acknowledged write. With `majority` a
 *   primary that was just elected may answer, for a moment, from before writes that its predecessor acknowledged.
 *   What `local` may show and a failover take back is a write that nobody was told of: whoever writes on top of it finds
 *   out by its guard, and whoever goes on without writing asks for versions that are durable: read concern `majority`.
 *   A primary that has lost its majority may answer from the past until it notices, some ten
 *   seconds at most; it acknowledges no write meanwhile.
 * - Repetitions are ours, under the guard, for every deployment alike; the driver's own need sessions.
 */
export const FIXED = {
  readPreference: 'primary',
  readConcernLevel: 'local',
  w: 'majority',
  journal: true,
  retryReads: false,
  retryWrites: false,
  wtimeoutMS: 0,
} as const satisfies MongoClientOptions;

/** The database that the URL names, else ours, and its options by their names in lower case. */
export function partsOf(url: string): { readonly database: string; readonly given: ReadonlySet<string> } {
  const [, database, query = ''] = /^[^/]*\/\/[^/?]*(?:\/([^?]*))?(?:\?(.*))?$/.exec(url) ?? [];
  const given = [...new URLSearchParams(query).keys()].map((name) => name.toLowerCase());
  return {
    database: database === undefined || database === '' ? 'catalog' : decodeURIComponent(database),
    given: new Set(given),
  };
}
