/**
 * What a decompressor writes, in pieces: the newest bytes are kept, since they may be repeated, and what has been taken
 * is forgotten.
 */
export class Output {
  readonly #history: number;
  #bytes = Buffer.allocUnsafe(2 * 1024);
  /** What was taken ends here. */
  #taken = 0;
  #length = 0;

  /** @param history how far back a repetition may begin. */
  constructor(history: number) {
    this.#history = history;
  }

  /** Whether a piece is to be taken before anything else is written. */
  get isFull(): boolean {
    return this.#length - this.#taken >= PIECE_BYTES;
  }

  /**
   * Writes as much as there is room for, and returns how much that was.
   * @throws {RangeError} where the source does not reach that far.
   */
  append(source: Buffer, from: number, length: number): number {
    if (from + length > source.length) throw new RangeError('the compressed records end too early');
    const written = this.#makeRoom(length);
    source.copy(this.#bytes, this.#length, from, from + written);
    this.#length += written;
    return written;
  }

  /**
   * Writes again what was written `distance` bytes ago, as much of it as there is room for, and returns how much that
   * was; a distance below `length` repeats what it writes.
   */
  repeat(distance: number, length: number): number {
    if (distance === 0 || distance > this.#length)
      throw new RangeError('the compressed records point to where nothing is');
    const written = this.#makeRoom(length);
    const bytes = this.#bytes;
    let at = this.#length;
    const end = at + written;
    if (written < 16) {
      for (; at < end; at += 1) bytes[at] = bytes[at - distance] as number;
    } else {
      // What stands there is doubled with each copy.
      const from = at - distance;
      while (at < end) {
        const size = Math.min(end - at, at - from);
        bytes.copyWithin(at, from, from + size);
        at += size;
      }
    }
    this.#length = end;
    return written;
  }

  /** What was written since the last time, in memory of its own. */
  take(): Buffer {
    const piece = Buffer.from(this.#bytes.subarray(this.#taken, this.#length));
    const forgotten = Math.max(0, this.#length - this.#history);
    this.#bytes.copyWithin(0, forgotten, this.#length);
    this.#length -= forgotten;
    this.#taken = this.#length;
    return piece;
  }

  #makeRoom(wanted: number): number {
    const written = Math.min(wanted, PIECE_BYTES - (this.#length - this.#taken));
    const needed = this.#length + written;
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(
        Math.min(this.#history + PIECE_BYTES, Math.max(needed, this.#bytes.length * 2)),
      );
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    return written;
  }
}

const PIECE_BYTES = 256 * 1024;
