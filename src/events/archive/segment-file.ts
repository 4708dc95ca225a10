import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

import { cannotBeWritten, PARTIAL, settle } from '../../platform/durable-files.ts';

export interface Written {
  readonly bytes: number;
  /** Of the compressed bytes, in hexadecimal digits. */
  readonly sha256: string;
}

/** A compressed file of lines that is being written. Disposing it before `finish` removes what there is of it. */
export interface SegmentFile extends AsyncDisposable {
  /** Takes whole lines, each with its line feed; resolves when there is room for more. */
  write(lines: string): Promise<void>;
  /** Flushes the file to the disk and gives it its name: from then on it is there, whole. */
  finish(): Promise<Written>;
}

/** Its folder must be there. Errors of the file system come as `PermanentError`, one line each. */
export function openSegmentFile(path: string): SegmentFile {
  const partial = `${path}${PARTIAL}`;
  const hash = createHash('sha256');
  let bytes = 0;
  const counting = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  const gzip = createGzip();
  const written = pipeline(gzip, counting, createWriteStream(partial, { mode: 0o600, flush: true }));
  // Whoever writes or finishes is told; nobody may have come to it yet.
  written.catch(() => undefined);
  let isFinished = false;

  return {
    write: async (lines) => {
      try {
        if (!gzip.write(lines)) await Promise.race([once(gzip, 'drain'), written]);
      } catch (thrown) {
        throw await reason(thrown);
      }
    },
    finish: async () => {
      gzip.end();
      await written.catch(async (thrown: unknown) => {
        throw await reason(thrown);
      });
      await settle(path);
      isFinished = true;
      return { bytes, sha256: hash.digest('hex') };
    },
    [Symbol.asyncDispose]: async () => {
      if (isFinished) return;
      gzip.destroy();
      await written.catch(() => undefined);
      await rm(partial, { force: true });
    },
  };

  /** What the file said: the compression in front of it only says that it was ended. */
  async function reason(thrown: unknown): Promise<Error> {
    const first = await written.then(
      () => thrown,
      (cause: unknown) => cause,
    );
    return cannotBeWritten(path, first);
  }
}
