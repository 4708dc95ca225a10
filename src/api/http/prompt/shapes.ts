import { hash } from 'node:crypto';

import { createBoundedMap } from '../../../platform/bounded-map.ts';

/** Header fields with the value of their one `x-api-key` taken out. */
export interface Cut {
  readonly key: string;
  /** The digest of the rest, and of where the key stood: the same for any key in the same fields. */
  readonly shape: string;
}

/** A value as nearly every client writes it: visible characters, after one blank or none. */
const KEY_FIELD = /(?:^|\n)x-api-key: ?([!-~]+)\r\n/i;
const LINE_END = '\r\n';
/** What no header field holds. */
const MARK = '\0';

/** null where the key is not written plainly. The first one is taken; whether it is the only one, the shape's first request told. */
export function cutKey(fields: string): Cut | null {
  const found = KEY_FIELD.exec(fields);
  const key = found?.[1];
  if (!found || key === undefined) return null;
  const end = found.index + found[0].length - LINE_END.length;
  const rest = `${fields.slice(0, end - key.length)}${MARK}${fields.slice(end)}`;
  return { key, shape: hash('sha256', rest, 'base64url') };
}

/**
 * Shapes of header fields that Node has read with a good key. Fields of a known shape differ from those in the visible
 * characters of the key alone: Node reads them as it read the others, and ends their head in the same place.
 */
export interface Shapes {
  has(shape: string): boolean;
  remember(shape: string): void;
}

/** What is noted of a shape, in rough bytes of memory: measured, with room to spare. */
const SHAPE_BYTES = 300;

export function createShapes(maxBytes: number): Shapes {
  const shapes = createBoundedMap<true>(maxBytes);
  return {
    has: (shape) => shapes.get(shape) === true,
    remember: (shape) => shapes.set(shape, true, SHAPE_BYTES),
  };
}
