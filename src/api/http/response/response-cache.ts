import { hash } from 'node:crypto';

import { createBoundedMap, entryBytes } from '../../../platform/cache/bounded-map.ts';
import type { Representation } from './representation.ts';

/**
 * Responses by (route, parameters, language), each kept for as long as what it was made from is the same. That is said
 * in plain values, such as the versions of documents: the documents themselves would be kept along with it.
 */
export type ResponseCache = ReturnType<typeof createResponseCache>;

/** An object only where there is one at a time: it is compared as the very same. */
export type Stamp = string | number | boolean | object;

interface CachedResponse {
  readonly from: readonly Stamp[];
  readonly representation: Representation;
}

/** What a response takes beside its body: measured, with room to spare. */
const RESPONSE_BYTES = 2500;
/** Of the body alone; compressed, letters that mean nothing take three quarters of it with either coding, texts a third. */
const ALL_CODINGS = 2.5;

/**
 * `maxBytes` bounds all that is kept: bodies, compressed forms, and what goes with them. Tags are made under `tagSecret`,
 * the same for all instances: a 304 is free, and the body of a search without hits is known without asking.
 */
export function createResponseCache(maxBytes: number, tagSecret: string) {
  const kept = createBoundedMap<CachedResponse>(maxBytes);
  /** The one that is kept; null where it has to be made. */
  const known = (key: string, from: readonly Stamp[]): Representation | null => {
    const found = kept.get(key);
    return found && isSame(found.from, from) ? found.representation : null;
  };
  return {
    known,
    of(key: string, from: readonly Stamp[], render: () => Representation): Representation {
      const found = known(key, from);
      if (found) return found;
      const made = render();
      // Always of the same length, so nobody can go on from one tag to another, and a plain digest does what an HMAC would.
      const tag = hash('sha256', tagSecret + made.etag, 'base64url');
      const representation = { ...made, etag: `W/"${tag}"` };
      kept.set(key, { from, representation }, entryBytes(key) + bytesOf({ from, representation }));
      return representation;
    },
  };
}

function bytesOf({ from, representation: { bytes, link } }: CachedResponse): number {
  const stamps = from.reduce<number>((sum, stamp) => sum + stampBytes(stamp), 0);
  return RESPONSE_BYTES + ALL_CODINGS * bytes.length + 2 * (link?.length ?? 0) + stamps;
}

/** A place in the list, and the text itself: its document may be gone. */
function stampBytes(stamp: Stamp): number {
  return 8 + (typeof stamp === 'string' ? 24 + stamp.length : 0);
}

function isSame(a: readonly Stamp[], b: readonly Stamp[]): boolean {
  return a.length === b.length && a.every((member, index) => member === b[index]);
}
