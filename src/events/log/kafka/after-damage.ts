import { RetryableError } from '../../../platform/errors.ts';
import type { Position } from '../port.ts';
import type { FetchedPart, KafkaClient } from './client.ts';
import { ERROR } from './protocol.ts';
import { answerWithin } from './reconnecting-client.ts';
import { type Fault, scanBatches } from './record-batches.ts';

/**
 * The first position behind a fault: where the broker gives something else, or where an undamaged batch was seen behind it,
 * whichever comes first. null where the broker refuses everything up to the end: then it is the broker that is in trouble.
 */
export async function positionAfterDamage(
  client: KafkaClient,
  broker: number,
  { topic, partition, from }: FetchedPart,
  fault: Fault,
  limitMs: number,
): Promise<Position | null> {
  const ends = (await client.ends(topic)).find((end) => end.partition === partition);
  const end = ends?.readable ?? ends?.latest ?? from;
  const found = await firstOther(from, end, async (position) => {
    const { partitions } = await answerWithin(limitMs, 'looking behind what is damaged', () =>
      client.fetch(broker, [{ topic, partition, from: position }], 0),
    );
    const answer = partitions.find((one) => one.topic === topic && one.partition === partition);
    if (!answer) throw new RetryableError(`Kafka says nothing of ${topic}/${partition}.`);
    if (fault.bytes.length === 0) return answer.errorCode === ERROR.corruptMessage || position >= end;
    if (!beginsLike(answer.bytes, fault.bytes)) return false;
    return scanBatches(answer.bytes, position, answer.end).batches.length === 0;
  });
  const seen = fault.to !== null && fault.to > from && fault.to <= end ? fault.to : null;
  return found === null || seen === null ? (found ?? seen) : Math.min(found, seen);
}

/** The lowest position above `from`, up to `end`, that is not the same; null where all are. */
async function firstOther(
  from: Position,
  end: Position,
  isSame: (position: Position) => Promise<boolean>,
): Promise<Position | null> {
  let same = from;
  let other = from;
  for (let step = 1; other === from; step *= 2) {
    const at = Math.min(from + step, end);
    if (at <= same) return null;
    if (await isSame(at)) same = at;
    else other = at;
  }
  while (other - same > 1) {
    const middle: Position = same + Math.floor((other - same) / 2);
    if (await isSame(middle)) same = middle;
    else other = middle;
  }
  return other;
}

/** Whether both begin with a batch at the same position. */
function beginsLike(bytes: Buffer, other: Buffer): boolean {
  const length = Math.min(bytes.length, other.length, 8);
  return length > 0 && bytes.subarray(0, length).equals(other.subarray(0, length));
}
