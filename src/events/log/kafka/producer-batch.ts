import type { RecordMetadata } from 'kafkajs';

import { RetryableError } from '../../../platform/errors.ts';
import type { NewRecord, Place } from '../port.ts';

export function toMessage({ key, value, headers }: NewRecord, partition: number) {
  return { key, value: value === null ? null : asBuffer(value), headers: { ...headers }, partition };
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** A partition's records follow each other from where the first one stands. */
export function placesOf(
  records: readonly NewRecord[],
  partitions: readonly number[],
  answers: readonly RecordMetadata[],
): readonly Place[] {
  const next = new Map(
    answers.map(({ topicName, partition, baseOffset }) => [`${topicName}/${partition}`, Number(baseOffset)]),
  );
  return records.map(({ topic }, index) => {
    const partition = partitions[index] ?? 0;
    const position = next.get(`${topic}/${partition}`);
    // kafkajs leaves out, without a word, what it knows no leader for.
    if (position === undefined)
      throw new RetryableError(`Kafka, appending: ${topic}/${partition} has no leader.`);
    next.set(`${topic}/${partition}`, position + 1);
    return { topic, partition, position };
  });
}
