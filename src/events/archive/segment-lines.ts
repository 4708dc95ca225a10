import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';

import { messageOf } from '../../platform/errors.ts';

/** The lines of a compressed file as they were written, for as long as they can be had. */
export interface SegmentLines extends AsyncIterable<Buffer> {
  /** Once all were read: why there are no more although there should be; null where the file came to its own end. */
  readonly broken: string | null;
  /** Once all were read: the SHA-256 of the compressed bytes, in hexadecimal digits; null where not all were read. */
  readonly sha256: string | null;
}

const LINE_FEED = 0x0a;
/** More than any log holds in a record. What claims to be longer is no line of ours, and must not fill the memory. */
const LINE_BYTES = 256 * 1024 * 1024;

export function segmentLines(path: string): SegmentLines {
  let broken: string | null = null;
  let sha256: string | null = null;
  return {
    get broken() {
      return broken;
    },
    get sha256() {
      return sha256;
    },
    async *[Symbol.asyncIterator]() {
      const hash = createHash('sha256');
      const input = createReadStream(path, { highWaterMark: 256 * 1024 });
      // Of what is damaged in the middle, as much as possible is handed out before the error.
      const unpacked = createGunzip({ chunkSize: 64 * 1024 });
      input.on('data', (chunk) => hash.update(chunk));
      input.on('error', (error) => unpacked.destroy(error));
      let begun: Buffer[] = [];
      let size = 0;
      try {
        for await (const chunk of input.pipe(unpacked) as AsyncIterable<Buffer>) {
          let start = 0;
          for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
            const line = chunk.subarray(start, end);
            yield begun.length === 0 ? line : Buffer.concat([...begun, line]);
            [begun, size] = [[], 0];
            start = end + 1;
          }
          if (start === chunk.length) continue;
          begun.push(chunk.subarray(start));
          size += chunk.length - start;
          if (size > LINE_BYTES) throw new Error('a line has no end');
        }
        if (size > 0) broken = 'its last line has no end';
        sha256 = hash.digest('hex');
      } catch (thrown) {
        broken =
          thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT'
            ? 'it is missing'
            : messageOf(thrown);
      } finally {
        input.destroy();
        unpacked.destroy();
      }
    },
  };
}
