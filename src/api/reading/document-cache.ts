import { setImmediate as nextTurn } from 'node:timers/promises';

import { type Clock, isFresh } from '../../platform/time/clock.ts';
import type { Version } from '../../stores/documents/port.ts';
import { createBoundedMap, entryBytes, roughSize } from '../../platform/cache/bounded-map.ts';
import { memoizeLatest } from '../../platform/once.ts';
import { type ReadDocuments, VIEW } from '../../stores/time-limit.ts';

/**
 * The one cache of read-model documents that all routes share, so that no route shows what another one has denied.
 *
 * What is known of an id (a view with its version, or its absence) is
 * - fresh for `confirmMs` after the start of the read that confirmed it: answered without a read;
 * - stale after that: its version is read again, together with all others asked for in the same turn of the event loop,
 *   and its content only where the version has changed;
 * - in flight while such a read is under way: one at a time for each id, so that an older answer never overtakes a
 *   newer one. A request that comes later than `confirmMs` after its start waits for the next one.
 */
export type DocumentCache = ReturnType<typeof createDocumentCache>;

export interface ConfirmedDocument<View> {
  readonly id: string;
  readonly version: Version;
  readonly view: View;
}

export interface CacheOptions {
  readonly documents: ReadDocuments;
  readonly clock: Clock;
  /** How long a confirmation counts, in milliseconds. */
  readonly confirmMs: number;
  /** The bound of what is kept, in rough bytes of memory; of one collection, the one asked for last. */
  readonly maxBytes: number;
}

/** What is noted of an id beside its view: its version, when it was confirmed. */
const KNOWN_BYTES = 300;

type Lookup = ConfirmedDocument<unknown> | null;

type PendingRead = Promise<ReadonlyMap<string, Lookup>>;

/** One batched read of one collection. `issuedAt` is null while it still collects ids. */
interface Flight {
  readonly ids: Set<string>;
  landed: PendingRead;
  issuedAt: number | null;
}

export function createDocumentCache(options: CacheOptions) {
  const readerOf = memoizeLatest((collection) => createCollectionCache(collection, options));
  return {
    /** The state of each id, in one object for as long as its version stays; absent ones are left out. */
    async get<View>(collection: string, ids: readonly string[]) {
      // Views are written by the projection whose collection this is, so the caller knows their type.
      return (await readerOf(collection)(ids)) as ReadonlyMap<string, ConfirmedDocument<View>>;
    },
  };
}

/** Returns what gives the states of ids in one collection. */
function createCollectionCache(collection: string, options: CacheOptions) {
  const { documents, clock, confirmMs, maxBytes } = options;
  const kept = createBoundedMap<{ readonly found: Lookup; confirmedAt: number }>(maxBytes);
  const flights = new Map<string, Flight>();
  let collecting: Flight | null = null;

  return async (ids: readonly string[]): Promise<ReadonlyMap<string, ConfirmedDocument<unknown>>> => {
    const fresh = new Map<string, ConfirmedDocument<unknown>>();
    const waiting = new Set<PendingRead>();
    const now = clock.monotonic();
    for (const id of ids) {
      const known = kept.get(id);
      if (!known || !isFresh(known.confirmedAt, now, confirmMs)) waiting.add(landingFor(id, now));
      else if (known.found) fresh.set(id, known.found);
    }
    if (waiting.size === 0) return fresh;
    const landed = await Promise.all(waiting);
    const answer = new Map<string, ConfirmedDocument<unknown>>();
    for (const id of ids) {
      // What was fresh at first may have changed while the others were read, and another request may have said so already.
      const known = kept.peek(id);
      const found = known ? known.found : (landed.find((one) => one.has(id)) ?? fresh).get(id);
      if (found) answer.set(id, found);
    }
    return answer;
  };

  /** Of the flight that speaks for whoever asks at `now`. */
  function landingFor(id: string, now: number): PendingRead {
    const { issuedAt, landed } = flights.get(id) ?? board(id);
    const speaksForUs = issuedAt === null || isFresh(issuedAt, now, confirmMs);
    return speaksForUs ? landed : nextLanding(id, landed);
  }

  /** `before` began too long before this request: its outcome does not matter here, nor does its failure. */
  async function nextLanding(id: string, before: PendingRead): PendingRead {
    await before.catch(() => null);
    return await landingFor(id, clock.monotonic());
  }

  function board(id: string): Flight {
    collecting ??= newFlight();
    collecting.ids.add(id);
    flights.set(id, collecting);
    return collecting;
  }

  function newFlight(): Flight {
    // Not at once, so that what is asked for in this turn of the event loop goes along.
    const landed = nextTurn().then(() => fly(flight));
    const flight: Flight = { ids: new Set(), landed, issuedAt: null };
    return flight;
  }

  async function fly(flight: Flight): PendingRead {
    collecting = null;
    const issuedAt = clock.monotonic();
    flight.issuedAt = issuedAt;
    try {
      const landed = await readAll([...flight.ids]);
      for (const [id, found] of landed) remember(id, found, issuedAt);
      return landed;
    } finally {
      for (const id of flight.ids) flights.delete(id);
      // A map that changes all the time keeps removed entries in memory for a while, so little is to be kept in them.
      flight.landed = NOTHING;
    }
  }

  /** Versions alone of what is known; content of what is not, or no longer. */
  async function readAll(ids: readonly string[]): PendingRead {
    const known = new Map<string, Lookup>();
    for (const id of ids) {
      const before = kept.peek(id);
      if (before) known.set(id, before.found);
    }
    const [versions, loaded] = await Promise.all([
      known.size > 0 ? documents.versions(collection, [...known.keys()]) : NONE,
      load(ids.filter((id) => !known.has(id))),
    ]);
    const changed = [...known.keys()].filter((id) => known.get(id)?.version !== versions.get(id));
    const gone = changed.map((id) => [id, null] as const);
    return new Map([...known, ...loaded, ...gone, ...(await load(changed.filter((id) => versions.has(id))))]);
  }

  async function load(ids: readonly string[]): PendingRead {
    if (ids.length === 0) return new Map();
    const stored = await documents.get<{ readonly view: unknown }>(collection, ids, VIEW);
    return new Map(
      ids.map((id) => {
        const document = stored.get(id);
        return [id, document ? { id, version: document.version, view: document.body.view } : null];
      }),
    );
  }

  function remember(id: string, found: Lookup, confirmedAt: number): void {
    const known = kept.peek(id);
    if (known?.found === found) known.confirmedAt = confirmedAt;
    else kept.set(id, { found, confirmedAt }, entryBytes(id) + KNOWN_BYTES + roughSize(found?.view ?? null));
  }
}

const NONE: ReadonlyMap<string, Version> = new Map();
const NOTHING: PendingRead = Promise.resolve(new Map());
