import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

import type { Soon } from '../../platform/soon.ts';

export type Encoding = 'br' | 'gzip';

/**
 * Bytes in memory of their own size. Node cuts small buffers, and what zlib returns, from slabs of 64 KiB: one kept
 * slice keeps its whole slab.
 */
export function ownBytes(content: string | Buffer): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(content));
  if (typeof content === 'string') bytes.write(content);
  else content.copy(bytes);
  return bytes;
}

export interface EncodedBody {
  readonly bytes: Buffer;
  /** Told of so many bytes more that are kept. */
  grew(bytes: number): void;
}

/** Compressed forms of a body: each is made when it is first asked for, and kept with it. */
export class EncodedForms {
  readonly #body: EncodedBody;
  readonly #forms = new Map<Encoding, Soon<Buffer>>();

  constructor(body: EncodedBody) {
    this.#body = body;
  }

  of(encoding: Encoding): Soon<Buffer> {
    let form = this.#forms.get(encoding);
    if (!form) this.#forms.set(encoding, (form = this.#make(encoding)));
    return form;
  }

  async #make(encoding: Encoding): Promise<Buffer> {
    try {
      const form = ownBytes(await COMPRESS[encoding](this.#body.bytes));
      this.#forms.set(encoding, form);
      this.#body.grew(form.length + BUFFER_BYTES);
      return form;
    } catch (thrown) {
      this.#forms.delete(encoding);
      throw thrown;
    }
  }
}

/** What a buffer takes beside its bytes: measured, with room to spare. */
const BUFFER_BYTES = 400;

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
