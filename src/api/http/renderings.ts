import { createProvenMap } from '../../platform/proven-map.ts';
import { keyedDigest } from '../../platform/keyed-digest.ts';
import { entryBytes } from '../../platform/rough-size.ts';
import type { Rendering } from './rendering.ts';

/** What a rendering takes beside its body: measured, with room to spare. */
const RENDERING_BYTES = 1500;

/**
 * Renderings by (route, parameters, language), each kept for as long as what it was made from is the same. That is said
 * in plain values, such as the versions of documents: the documents themselves would be kept along with it.
 */
export interface Renderings {
  of(key: string, from: readonly Stamp[], render: () => Rendering): Rendering;
  /** The one that is kept; null where it has to be made. */
  known(key: string, from: readonly Stamp[]): Rendering | null;
}

/** An object only where there is one at a time: it is compared as the very same. */
export type Stamp = string | number | boolean | object;

interface Kept {
  readonly from: readonly Stamp[];
  readonly rendering: Rendering;
}

/**
 * `maxBytes` bounds all that is kept: bodies, compressed forms, and what goes with them. Tags are made under `tagSecret`,
 * the same for all instances: a 304 is free, and the body of a search without hits is known without asking.
 */
export function createRenderings(maxBytes: number, tagSecret: string): Renderings {
  const kept = createProvenMap<Kept>(maxBytes);
  const digest = keyedDigest(tagSecret);
  const knownOf = (key: string, from: readonly Stamp[]): Rendering | null => {
    const known = kept.get(key);
    return known && isSame(known.from, from) ? known.rendering : null;
  };
  return {
    known: knownOf,
    of(key, from, render) {
      const known = knownOf(key, from);
      if (known) return known;
      const rendering = render();
      rendering.tagBy(digest);
      const made = { from, rendering };
      kept.set(key, made, entryBytes(key) + bytesOf(made));
      rendering.onGrown((bytes) => kept.grow(key, made, bytes));
      return rendering;
    },
  };
}

function bytesOf({ from, rendering: { size, text, link } }: Kept): number {
  const stamps = from.reduce<number>((sum, stamp) => sum + stampBytes(stamp), 0);
  // Where some characters are wider than a byte, all of a text are kept in two.
  const body = text === null || text.length === size ? size : 2 * text.length;
  return RENDERING_BYTES + body + 2 * (link?.length ?? 0) + stamps;
}

/** A place in the list, and the text itself: its document may be gone. */
function stampBytes(stamp: Stamp): number {
  return 8 + (typeof stamp === 'string' ? 24 + stamp.length : 0);
}

function isSame(a: readonly Stamp[], b: readonly Stamp[]): boolean {
  return a.length === b.length && a.every((member, index) => member === b[index]);
}
