import { RetryableError } from '../../../platform/errors.ts';
import type { PartitionId, Position } from '../port.ts';

/*
 * What we decode of the Kafka protocol ourselves: its primitive types, and "Fetch Response (Version: 11)" (Kafka 2.3,
 * KIP-392; kafkajs has no newer one). Errors stay with their partitions, and batches stay bytes (record-batches.ts).
 */

export const FETCH_VERSION = 11;

export interface AbortedTransaction {
  readonly producerId: bigint;
  readonly firstOffset: Position;
}

/** What a broker answers for one partition. */
export interface PartitionResponse extends PartitionId {
  /** One of the protocol's "Error Codes"; see `ERROR`. */
  readonly errorCode: number;
  /** The high watermark, as it was before the batches were read; below 0 where it is not known. */
  readonly end: Position;
  /** Where reading ends for the time being (the last stable offset), as it was then; below 0 where it is not known. */
  readonly readable: Position;
  readonly aborted: readonly AbortedTransaction[];
  /** Batches, one behind the other; the last one may be cut off. */
  readonly bytes: Buffer;
}

export interface FetchResponse {
  /** Read by kafkajs: the broker asks for a pause of so many milliseconds. */
  readonly clientSideThrottleTime: number;
  readonly partitions: readonly PartitionResponse[];
}

/** The "Error Codes" of the Kafka protocol that decide something here. */
export const ERROR = {
  none: 0,
  offsetOutOfRange: 1,
  corruptMessage: 2,
  unknownTopicOrPartition: 3,
  invalidTopic: 17,
  topicAuthorizationFailed: 29,
} as const;

export function readFetchResponse(payload: Buffer): FetchResponse {
  const reader = new ByteReader(payload);
  const clientSideThrottleTime = reader.int32();
  const errorCode = reader.int16();
  if (errorCode !== ERROR.none)
    throw new RetryableError(`Kafka refused a fetch with the error code ${errorCode}.`);
  // The id of a fetch session: none was asked for.
  reader.skip(4);
  const partitions = reader.list(() => {
    const topic = reader.text(reader.int16()) ?? '';
    return reader.list(() => readPartition(reader, topic));
  });
  return { clientSideThrottleTime, partitions: partitions.flat() };
}

function readPartition(reader: ByteReader, topic: string): PartitionResponse {
  const partition = reader.int32();
  const errorCode = reader.int16();
  const end = reader.long();
  const readable = reader.long();
  // The earliest position.
  reader.skip(8);
  const aborted = reader.list(() => ({ producerId: reader.int64(), firstOffset: reader.long() }));
  // The replica that the broker would rather be asked.
  reader.skip(4);
  const bytes = reader.bytes(reader.int32()) ?? Buffer.alloc(0);
  return { topic, partition, errorCode, end, readable, aborted, bytes };
}

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
