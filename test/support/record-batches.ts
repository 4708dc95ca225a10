import { crc32, gzipSync, zstdCompressSync } from 'node:zlib';

import { crc32c } from '../../src/events/log/kafka/record-batches.ts';
import { lz4, snappy } from './packing.ts';

/** Kafka's record batches, version 2, as a producer and a broker would write them; and, where asked for, wrong ones. */

export interface BatchRecord {
  /** Counted from the first position of the batch. */
  readonly delta: number;
  readonly key?: Buffer | null;
  readonly value: Buffer | null;
  readonly headers?: readonly (readonly [string, string])[];
}

export interface BatchOptions {
  /** none, gzip, snappy, lz4, zstd; others leave the records as they are. */
  readonly codec?: number;
  readonly isTransactional?: boolean;
  readonly isControl?: boolean;
  readonly producerId?: bigint;
  readonly lastDelta?: number;
  readonly count?: number;
  /** Changes what stands behind the header, before it is signed. */
  readonly change?: (body: Buffer) => Buffer;
}

const HEADER_BYTES = 61;
const BATCH_TIME = 1_800_000_000_000;

export function encodeBatch(
  base: number,
  records: readonly BatchRecord[],
  { codec = 0, change = (body) => body, ...options }: BatchOptions = {},
): Buffer {
  const body = change(pack(codec, Buffer.concat(records.flatMap(encodeRecord))));
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeBigInt64BE(BigInt(base), 0);
  header.writeInt32BE(HEADER_BYTES - 12 + body.length, 8);
  header.writeInt8(2, 16);
  header.writeInt16BE(codec | (options.isTransactional ? 0x10 : 0) | (options.isControl ? 0x20 : 0), 21);
  header.writeInt32BE(options.lastDelta ?? Math.max(0, records.at(-1)?.delta ?? 0), 23);
  header.writeBigInt64BE(BigInt(BATCH_TIME), 27);
  header.writeBigInt64BE(BigInt(BATCH_TIME), 35);
  header.writeBigInt64BE(options.producerId ?? -1n, 43);
  header.writeInt32BE(options.count ?? records.length, 57);
  return sign(Buffer.concat([header, body]));
}

/** Gives a batch, or a message of the format before, the checksum that its bytes have. */
export function sign(batch: Buffer): Buffer {
  if (batch.readInt8(16) === 2) batch.writeUInt32BE(crc32c(batch.subarray(21)), 17);
  else batch.writeUInt32BE(crc32(batch.subarray(16)), 12);
  return batch;
}

/** One message in the format of Kafka 0.10. */
export function encodeOldMessage(position: number, value: Buffer): Buffer {
  const message = Buffer.alloc(34);
  message.writeBigInt64BE(BigInt(position), 0);
  message.writeInt32BE(22 + value.length, 8);
  message.writeInt8(1, 16);
  message.writeBigInt64BE(BigInt(BATCH_TIME), 18);
  message.writeInt32BE(-1, 26);
  message.writeInt32BE(value.length, 30);
  return sign(Buffer.concat([message, value]));
}

/** The mark that ends a transaction. */
export function encodeMark(position: number, producerId: bigint, end: 'abort' | 'commit'): Buffer {
  const key = Buffer.from([0, 0, 0, end === 'abort' ? 0 : 1]);
  const options = { isTransactional: true, isControl: true, producerId };
  return encodeBatch(position, [{ delta: 0, key, value: Buffer.alloc(6) }], options);
}

/** In parts: values may be large, and are copied once. */
function encodeRecord({ delta, key = null, value, headers = [] }: BatchRecord): readonly Buffer[] {
  const body = [
    Buffer.from([0]),
    varint(0),
    varint(delta),
    ...sized(key),
    ...sized(value),
    varint(headers.length),
    ...headers.flatMap((header) => header.flatMap((text) => sized(Buffer.from(text)))),
  ];
  const length = body.reduce((sum, part) => sum + part.length, 0);
  return [varint(length), ...body];
}

function sized(bytes: Buffer | null): readonly Buffer[] {
  return bytes === null ? [varint(-1)] : [varint(bytes.length), bytes];
}

function varint(number: number): Buffer {
  const bytes: number[] = [];
  let rest = number >= 0 ? number * 2 : -number * 2 - 1;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  bytes.push(rest);
  return Buffer.from(bytes);
}

export function pack(codec: number, body: Buffer): Buffer {
  switch (codec) {
    case 1:
      return gzipSync(body, { level: 1 });
    case 2:
      return snappy(body);
    case 3:
      return lz4(body);
    case 4:
      return zstdCompressSync(body);
    default:
      return body;
  }
}
