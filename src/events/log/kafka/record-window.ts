/** The unpacked bytes that are not used yet. What is taken from it stays as it is. */
export class Window {
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;
  #toSkip = 0;
  #length: number | null = null;
  added = 0;

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  add(piece: Buffer): void {
    this.added += piece.length;
    const skipped = Math.min(this.#toSkip, piece.length);
    this.#toSkip -= skipped;
    const rest = this.#bytes.subarray(this.#at);
    this.#bytes =
      rest.length === 0 ? piece.subarray(skipped) : Buffer.concat([rest, piece.subarray(skipped)]);
    this.#at = 0;
  }

  /** The length of the next record, which then begins; null where it is not there yet. */
  nextLength(): number | null {
    if (this.#length !== null) return this.#length;
    const start = this.#at;
    let zigzag = 0;
    for (let scale = 1; scale <= 2 ** 28; scale *= 128) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) {
        this.#at = start;
        return null;
      }
      this.#at += 1;
      zigzag += (byte & 0x7f) * scale;
      if (byte < 0x80) {
        this.#length = zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
        return this.#length;
      }
    }
    throw new RangeError('the length of a record has more than 32 bits');
  }

  peek(length: number): Buffer | null {
    const end = this.#at + length;
    return end > this.#bytes.length ? null : this.#bytes.subarray(this.#at, end);
  }

  take(length: number): Buffer | null {
    const bytes = this.peek(length);
    if (bytes) this.skip(length);
    return bytes;
  }

  /** Goes over the bytes of a record, those included that have not come yet. */
  skip(length: number): void {
    const here = Math.min(length, this.#bytes.length - this.#at);
    this.#at += here;
    this.#toSkip = length - here;
    this.#length = null;
  }
}
