import { createHmac } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

import { sha256 } from '../../platform/canonical.ts';
import { createBoundedMap } from '../../platform/bounded-map.ts';
import { entryBytes } from '../../platform/rough-size.ts';
import type { Locale } from '../messages/texts.ts';

/** A body as it is sent: made once, then shared by all requests for as long as what it was made from stays. */
export interface Rendering {
  readonly bytes: Buffer;
  readonly contentType: string;
  /** Weak, because all encodings share it: the digest of the bytes, under a secret where `Renderings` made it. */
  readonly etag: string;
  /** Of the texts in it; none where it has no texts for people. */
  readonly languages: readonly Locale[];
  /** An HTTP date, or null where the body has none. */
  readonly lastModified: string | null;
  /** The neighbours of a page, as the `Link` header names them. */
  readonly link: string | null;
  readonly encoded: EncodedForms;
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
  const bytes = ownBytes(text);
  const etag = `W/"${sha256(bytes)}"`;
  const encoded = new EncodedForms(bytes);
  return { bytes, contentType, etag, languages, lastModified: null, link: null, encoded };
}

/**
 * Bytes in memory of their own size. Node cuts small buffers, and what zlib returns, from slabs of 64 KiB: one kept
 * slice keeps its whole slab.
 */
function ownBytes(content: string | Buffer): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(content));
  if (typeof content === 'string') bytes.write(content);
  else content.copy(bytes);
  return bytes;
}

export function isWorthCompressing({ bytes }: Rendering): boolean {
  return bytes.length > COMPRESSED_ABOVE;
}

/** Compressed forms of a body: each is made when it is first asked for, and kept with it. */
export class EncodedForms {
  readonly #plain: Buffer;
  readonly #forms = new Map<Encoding, Promise<Buffer>>();
  #onMade: ((bytes: number) => void) | null = null;

  constructor(plain: Buffer) {
    this.#plain = plain;
  }

  of(encoding: Encoding): Promise<Buffer> {
    let form = this.#forms.get(encoding);
    if (!form) this.#forms.set(encoding, (form = this.#make(encoding)));
    return form;
  }

  /** Tells one listener the size of each form that is made from now on, in bytes. */
  onMade(listener: (bytes: number) => void): void {
    this.#onMade = listener;
  }

  async #make(encoding: Encoding): Promise<Buffer> {
    try {
      const form = ownBytes(await COMPRESS[encoding](this.#plain));
      this.#onMade?.(form.length + BUFFER_BYTES);
      return form;
    } catch (thrown) {
      this.#forms.delete(encoding);
      throw thrown;
    }
  }
}

/** What a buffer takes beside its bytes, and a rendering beside its body: measured, with room to spare. */
const BUFFER_BYTES = 400;
const RENDERING_BYTES = 1500;

/** The smallest window that holds so many bytes, as a power of two within what brotli allows. */
function windowBits(bytes: number): number {
  const { BROTLI_MIN_WINDOW_BITS: least, BROTLI_DEFAULT_WINDOW: most } = constants;
  return Math.min(most, Math.max(least, Math.ceil(Math.log2(bytes + 16))));
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
        // No larger than the body: by itself it takes megabytes for each, and their threads never give those back.
        [constants.BROTLI_PARAM_LGWIN]: windowBits(bytes.length),
      },
    }),
  gzip: promisify(gzip),
};

/**
 * Renderings by (route, parameters, language), each kept for as long as what it was made from is the same. That is said
 * in plain values, such as the versions of documents: the documents themselves would be kept along with it.
 */
export interface Renderings {
  of(key: string, from: readonly Stamp[], render: () => Rendering): Rendering;
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
  const kept = createBoundedMap<Kept>(maxBytes);
  return {
    of(key, from, render) {
      const known = kept.get(key);
      if (known && isSame(known.from, from)) return known.rendering;
      const rendering = withSecretTag(render(), tagSecret);
      const made = { from, rendering };
      kept.set(key, made, entryBytes(key) + bytesOf(made));
      rendering.encoded.onMade((bytes) => kept.grow(key, made, bytes));
      return rendering;
    },
  };
}

function withSecretTag(rendering: Rendering, secret: string): Rendering {
  const tag = createHmac('sha256', secret).update(rendering.etag).digest('base64url');
  return { ...rendering, etag: `W/"${tag}"` };
}

function bytesOf({ from, rendering: { bytes, link } }: Kept): number {
  const stamps = from.reduce<number>((sum, stamp) => sum + stampBytes(stamp), 0);
  return RENDERING_BYTES + bytes.length + 2 * (link?.length ?? 0) + stamps;
}

/** A place in the list, and the text itself: its document may be gone. */
function stampBytes(stamp: Stamp): number {
  return 8 + (typeof stamp === 'string' ? 24 + stamp.length : 0);
}

function isSame(a: readonly Stamp[], b: readonly Stamp[]): boolean {
  return a.length === b.length && a.every((member, index) => member === b[index]);
}
