import { RetryableError } from '../../../platform/errors.ts';
import type { Position } from '../port.ts';
import { ByteReader } from './byte-reader.ts';

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
export interface PartitionResponse {
  readonly topic: string;
  readonly partition: number;
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
