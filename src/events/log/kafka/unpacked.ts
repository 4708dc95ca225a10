/** What a decompressor writes: grows as it needs to, and may be repeated from. */
export class Output {
  readonly #limit: number;
  #bytes = Buffer.allocUnsafe(64 * 1024);
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** @throws {RangeError} where the source does not reach that far, or the limit is passed. */
  append(source: Buffer, from: number, length: number): void {
    if (from + length > source.length) throw new RangeError('the compressed records end too early');
    this.#grow(length);
    source.copy(this.#bytes, this.#length, from, from + length);
    this.#length += length;
  }

  /** Writes again what was written `distance` bytes ago; a distance below `length` repeats what it writes. */
  repeat(distance: number, length: number): void {
    if (distance === 0 || distance > this.#length)
      throw new RangeError('the compressed records point nowhere');
    this.#grow(length);
    for (let index = 0; index < length; index += 1) {
      this.#bytes[this.#length + index] = this.#bytes[this.#length - distance + index] as number;
    }
    this.#length += length;
  }

  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  #grow(more: number): void {
    const needed = this.#length + more;
    if (needed > this.#limit) throw new RangeError(`the records unpack to more than ${this.#limit} bytes`);
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.min(this.#limit, Math.max(needed, this.#bytes.length * 2)));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}
