import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

import { sha256 } from '../../platform/canonical.ts';
import { createBoundedMap } from '../reading/bounded-map.ts';
import type { Locale } from '../messages/texts.ts';

/** A body as it is sent: made once, then shared by all requests for as long as what it was made from stays. */
export interface Rendering {
  readonly bytes: Buffer;
  readonly contentType: string;
  /** Weak, because all encodings share it: the digest of the bytes. */
  readonly etag: string;
  /** Of the texts in it; none where it has no texts for people. */
  readonly languages: readonly Locale[];
  /** An HTTP date, or null where the body has none. */
  readonly lastModified: string | null;
  /** The neighbours of a page, as the `Link` header names them. */
  readonly link: string | null;
  /** Compressed forms, made when they are first asked for. */
  readonly encoded: Map<Encoding, Promise<Buffer>>;
}

export type Encoding = 'br' | 'gzip';

/** Bodies up to this many bytes are sent as they are. */
export const COMPRESSED_ABOVE = 1024;

export const JSON_TYPE = 'application/json; charset=utf-8';

/** A body of the API: JSON, in one language or in several. `lastModified` is an instant. */
export function renderJson(
  body: object,
  language: Locale | readonly Locale[],
  lastModified: string | null = null,
): Rendering {
  return {
    ...renderText(JSON.stringify(body), JSON_TYPE, typeof language === 'string' ? [language] : language),
    lastModified: lastModified === null ? null : new Date(lastModified).toUTCString(),
  };
}

/** Any other text: a page, or a file that belongs to one. */
export function renderText(text: string, contentType: string, languages: readonly Locale[]): Rendering {
  const bytes = Buffer.from(text);
  const etag = `W/"${sha256(bytes)}"`;
  return { bytes, contentType, etag, languages, lastModified: null, link: null, encoded: new Map() };
}

export function isWorthCompressing({ bytes }: Rendering): boolean {
  return bytes.length > COMPRESSED_ABOVE;
}

export function encodedBytes(rendering: Rendering, encoding: Encoding): Promise<Buffer> {
  let encoded = rendering.encoded.get(encoding);
  if (!encoded) rendering.encoded.set(encoding, (encoded = COMPRESS[encoding](rendering.bytes)));
  return encoded;
}

const brotli = promisify(brotliCompress);
const COMPRESS: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) =>
    brotli(bytes, {
      params: {
        // Made once and sent often, but the first reader waits for it: 6 of 11 takes about 1 ms for 50 KB.
        [constants.BROTLI_PARAM_QUALITY]: 6,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: promisify(gzip),
};

/** Renderings by (route, parameters, language), each kept for as long as the very objects it was made from stay. */
export interface Renderings {
  of(key: string, from: readonly unknown[], render: () => Rendering): Rendering;
}

interface Kept {
  readonly from: readonly unknown[];
  readonly rendering: Rendering;
}

export function createRenderings(maxBytes: number): Renderings {
  const kept = createBoundedMap<Kept>(maxBytes);
  return {
    of(key, from, render) {
      const known = kept.get(key);
      if (known && isSame(known.from, from)) return known.rendering;
      const rendering = render();
      // Compressed forms come to less than half of it.
      kept.set(key, { from, rendering }, rendering.bytes.length * 1.5 + from.length * 8 + 500);
      return rendering;
    },
  };
}

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((member, index) => member === b[index]);
}
