import { RetryableError } from '../../../platform/errors.ts';
import type { Position } from '../port.ts';
import { ByteReader } from './byte-reader.ts';
import type { AbortedTransaction } from './slices.ts';

/** What a broker answers for one partition of a fetch. */
export interface PartitionAnswer {
  readonly topic: string;
  readonly partition: number;
  /** 0 where all is well: the "Error Codes" of Kafka's protocol. */
  readonly errorCode: number;
  /** The high watermark, as it was before the batches were read; below 0 where it is not known. */
  readonly end: Position;
  readonly aborted: readonly AbortedTransaction[];
  /** Batches, one behind the other; the last one may be cut off. */
  readonly bytes: Buffer;
}

export interface FetchResponse {
  readonly clientSideThrottleTime: number;
  readonly partitions: readonly PartitionAnswer[];
}

/** The layout of "Fetch Response (Version: 11)", since Kafka 2.3. */
export function readFetchResponse(payload: Buffer): FetchResponse {
  const reader = new ByteReader(payload);
  const clientSideThrottleTime = reader.int32();
  const errorCode = reader.int16();
  if (errorCode !== 0) throw new RetryableError(`Kafka refused a fetch with the error code ${errorCode}.`);
  // The id of a fetch session: none was asked for.
  reader.skip(4);
  const partitions = reader
    .list(() => {
      const topic = reader.text(reader.int16()) ?? '';
      return reader.list(() => readPartition(reader, topic));
    })
    .flat();
  return { clientSideThrottleTime, partitions };
}

function readPartition(reader: ByteReader, topic: string): PartitionAnswer {
  const partition = reader.int32();
  const errorCode = reader.int16();
  const end = reader.long();
  // The last stable and the earliest position.
  reader.skip(16);
  const aborted = reader.list(() => ({ producerId: reader.int64(), firstOffset: reader.long() }));
  // The replica that the broker would rather be asked.
  reader.skip(4);
  const bytes = reader.bytes(reader.int32()) ?? Buffer.alloc(0);
  return { topic, partition, errorCode, end, aborted, bytes };
}
