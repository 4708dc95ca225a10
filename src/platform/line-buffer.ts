import { symbols } from 'pino';

/** Takes lines that end in `\n`, one or more at a time. */
export interface LineSink {
  write(lines: string): void;
}

/** A sink that pino also tells each line's level. */
export interface LineBuffer extends LineSink {
  /** Hands over what waits. */
  flush(): void;
}

export interface LineBufferOptions {
  /** The most that waits, in bytes of UTF-8; a longer line is handed over alone. */
  readonly maxBytes: number;
  /** The longest that a line waits, in milliseconds. */
  readonly maxMs: number;
  /** Lines of this level and above never wait. */
  readonly urgent: number;
}

/**
 * Lets lines wait for each other, so that many cost one write. Whole lines, in order; an urgent one takes those before it
 * along. Nothing waits longer than it may; the end of the process flushes.
 */
export function bufferLines(out: LineSink, { maxBytes, maxMs, urgent }: LineBufferOptions): LineBuffer {
  let waiting = '';
  let bytes = 0;
  let timer: NodeJS.Timeout | null = null;

  const flush = (): void => {
    if (timer) clearTimeout(timer);
    timer = null;
    if (waiting === '') return;
    const lines = waiting;
    waiting = '';
    bytes = 0;
    out.write(lines);
  };

  const buffer = {
    [symbols.needsMetadataGsym]: true,
    /** Of the line that is written next; set by pino. */
    lastLevel: 0,
    flush,
    write(line: string): void {
      const length = Buffer.byteLength(line);
      if (bytes + length > maxBytes) flush();
      waiting += line;
      bytes += length;
      if (buffer.lastLevel >= urgent || bytes >= maxBytes) flush();
      else timer ??= setTimeout(flush, maxMs).unref();
    },
  };
  return buffer;
}
