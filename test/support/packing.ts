/**
 * Snappy and LZ4, packed for tests: Node unpacks gzip and Zstandard by itself and knows neither of these. Greedy, with
 * one place remembered for each four bytes.
 */

interface Match {
  readonly at: number;
  readonly distance: number;
  readonly length: number;
}

/** Repetitions of four bytes or more, at most 65,535 bytes back, that end before `until`. */
function* matches(bytes: Buffer, until: number): Generator<Match, void, undefined> {
  const seen = new Map<number, number>();
  for (let at = 0; at + 4 <= until;) {
    const four = bytes.readUInt32LE(at);
    const before = seen.get(four);
    seen.set(four, at);
    if (before === undefined || at - before > 65_535) {
      at += 1;
      continue;
    }
    let length = 4;
    while (isAlike(bytes, before + length, at + length, until)) length += STEP;
    while (at + length < until && bytes[before + length] === bytes[at + length]) length += 1;
    yield { at, distance: at - before, length };
    at += length;
  }
}

const STEP = 4096;

function isAlike(bytes: Buffer, one: number, other: number, until: number): boolean {
  return other + STEP <= until && bytes.compare(bytes, one, one + STEP, other, other + STEP) === 0;
}

/** A raw block. */
export function snappy(bytes: Buffer): Buffer {
  const parts: Buffer[] = [unsigned(bytes.length)];
  let done = 0;
  const literal = (to: number): void => {
    if (to === done) return;
    const header = Buffer.alloc(5);
    header.writeUInt8(63 << 2, 0);
    header.writeUInt32LE(to - done - 1, 1);
    parts.push(header, bytes.subarray(done, to));
  };
  for (const { at, distance, length } of matches(bytes, bytes.length)) {
    literal(at);
    // As many bytes as one copy brings, again and again; then the rest.
    parts.push(Buffer.alloc(3 * Math.floor(length / 64), copyOf(64, distance)));
    if (length % 64 > 0) parts.push(copyOf(length % 64, distance));
    done = at + length;
  }
  literal(bytes.length);
  return Buffer.concat(parts);
}

function copyOf(length: number, distance: number): Buffer {
  const copy = Buffer.from([((length - 1) << 2) | 2, 0, 0]);
  copy.writeUInt16LE(distance, 1);
  return copy;
}

/** A frame of independent blocks of 4 MiB at most. */
export function lz4(bytes: Buffer): Buffer {
  const parts: Buffer[] = [Buffer.from([0x04, 0x22, 0x4d, 0x18, 0x60, 0x70, 0])];
  for (let at = 0; at < bytes.length; at += 4 * 1024 * 1024) {
    const block = lz4Block(bytes.subarray(at, at + 4 * 1024 * 1024));
    const length = Buffer.alloc(4);
    length.writeUInt32LE(block.length);
    parts.push(length, block);
  }
  return Buffer.concat([...parts, Buffer.alloc(4)]);
}

function lz4Block(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  let done = 0;
  for (const { at, distance, length } of matches(bytes, bytes.length - 5)) {
    const literals = at - done;
    const token = (Math.min(literals, 15) << 4) | Math.min(length - 4, 15);
    parts.push(Buffer.from([token, ...more(literals)]), bytes.subarray(done, at));
    parts.push(Buffer.from([distance & 0xff, distance >> 8, ...more(length - 4)]));
    done = at + length;
  }
  const literals = bytes.length - done;
  return Buffer.concat([
    ...parts,
    Buffer.from([Math.min(literals, 15) << 4, ...more(literals)]),
    bytes.subarray(done),
  ]);
}

/** What of a length does not fit into four bits. */
function more(length: number): readonly number[] {
  if (length < 15) return [];
  const rest = length - 15;
  return [...Array.from({ length: Math.floor(rest / 255) }, () => 255), rest % 255];
}

function unsigned(number: number): Buffer {
  const bytes: number[] = [];
  let rest = number;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return Buffer.from([...bytes, rest]);
}
