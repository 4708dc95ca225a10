/** Reads the "Protocol Primitive Types" of Kafka, one after the other. Reading beyond the end throws a `RangeError`. */
export class ByteReader {
  readonly #buffer: Buffer;
  #at = 0;

  constructor(buffer: Buffer) {
    this.#buffer = buffer;
  }

  /** How many bytes are left. */
  get left(): number {
    return this.#buffer.length - this.#at;
  }

  skip(bytes: number): void {
    this.#at += bytes;
  }

  int16(): number {
    this.#at += 2;
    return this.#buffer.readInt16BE(this.#at - 2);
  }

  int32(): number {
    this.#at += 4;
    return this.#buffer.readInt32BE(this.#at - 4);
  }

  int64(): bigint {
    this.#at += 8;
    return this.#buffer.readBigInt64BE(this.#at - 8);
  }

  /** An int64 that counts something: positions and times are far below 2^53. */
  long(): number {
    return Number(this.int64());
  }

  /** Zigzag, of any length; exact up to 2^53. */
  varint(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.#buffer.readUInt8(this.#at);
      this.#at += 1;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) break;
      if (scale > Number.MAX_SAFE_INTEGER) throw new RangeError('a number of more than 64 bits');
    }
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** A view, not a copy; null where the length is below 0. */
  bytes(length: number): Buffer | null {
    if (length < 0) return null;
    const end = this.#at + length;
    if (end > this.#buffer.length) throw new RangeError('bytes beyond the end');
    const bytes = this.#buffer.subarray(this.#at, end);
    this.#at = end;
    return bytes;
  }

  text(length: number): string | null {
    return this.bytes(length)?.toString('utf8') ?? null;
  }

  list<T>(item: () => T): T[] {
    return this.items(Math.max(0, this.int32()), item);
  }

  /** Each item has a byte at least. */
  items<T>(count: number, item: () => T): T[] {
    if (count < 0 || count > this.left) throw new RangeError(`${count} items in ${this.left} bytes`);
    return Array.from({ length: count }, item);
  }
}
