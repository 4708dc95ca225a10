/** What a batch unpacks to at most, in bytes: a broker takes a mebibyte unless told otherwise, and Zstandard makes 32 GiB of that. */
export const UNPACKED_BYTES = 96 * 1024 * 1024;

export function tooMuch(): RangeError {
  return new RangeError(`its records unpack to more than ${UNPACKED_BYTES} bytes`);
}

/** What a decompressor writes: bytes of its source, and repetitions of what it has written. */
export class UnpackOutput {
  #bytes = Buffer.allocUnsafe(64 * 1024);
  #length = 0;

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** @throws {RangeError} where the source does not reach that far, or there would be too much. */
  append(source: Buffer, from: number, length: number): void {
    if (from + length > source.length) throw new RangeError('the compressed records end too early');
    this.#makeRoom(length);
    source.copy(this.#bytes, this.#length, from, from + length);
    this.#length += length;
  }

  /** Writes again what was written `distance` bytes ago; a distance below `length` repeats what it writes. */
  repeat(distance: number, length: number): void {
    if (distance === 0 || distance > this.#length)
      throw new RangeError('the compressed records point to where nothing is');
    this.#makeRoom(length);
    const from = this.#length - distance;
    const end = this.#length + length;
    // What stands there is doubled with each copy.
    while (this.#length < end) {
      const size = Math.min(end - this.#length, this.#length - from);
      this.#bytes.copyWithin(this.#length, from, from + size);
      this.#length += size;
    }
  }

  #makeRoom(length: number): void {
    const needed = this.#length + length;
    if (needed > UNPACKED_BYTES) throw tooMuch();
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#bytes.length));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}
