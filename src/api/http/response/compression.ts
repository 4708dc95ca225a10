import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

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

/** The compressed forms of a body: each is made when it is first asked for, once for all, and kept. */
export function compressor(bytes: Buffer): (encoding: Encoding) => Promise<Buffer> {
  const made = new Map<Encoding, Promise<Buffer>>();
  return (encoding) => {
    const known = made.get(encoding);
    if (known) return known;
    const making = COMPRESS[encoding](bytes).then(ownBytes);
    made.set(encoding, making);
    // Whoever asks next tries again.
    making.catch(() => made.delete(encoding));
    return making;
  };
}

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
