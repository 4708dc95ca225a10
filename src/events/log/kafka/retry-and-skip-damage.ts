import type { PartitionLeader, FetchedPart, KafkaClient } from './cluster-client.ts';
import { type Fault, scanBatches } from './record-batches.ts';
import type { Position, UnreadableRange } from '../port.ts';
import { RetryableError } from '../../../platform/errors.ts';
import { ERROR } from './fetch-response.ts';
import { answerWithin } from './reconnecting-client.ts';

/*
 * What a broker gives and cannot be read, of one partition at one position:
 *
 *   sound --a batch that is damaged, or does not end--> suspect --asked for again, and sound--> sound
 *   suspect --asked for five times in vain--> given up: a range that reading goes on behind
 *
 * A fault of the way is gone with the next answer, one of a connection with the next connection, one of a disk with
 * another replica.
 */

/**
 * How to ask for a suspect position the next time: after which pause, whether over a connection of its own, and which of
 * the other replicas, counted from 0; null for the leader.
 */
const RETRIALS = [
  { pauseMs: 50, isRenewed: false, replica: null },
  { pauseMs: 250, isRenewed: true, replica: null },
  { pauseMs: 500, isRenewed: false, replica: 0 },
  { pauseMs: 1000, isRenewed: false, replica: 1 },
];

/** What is known of a position that could not be read so far. */
export interface Suspect {
  /** What an answer without anything that can be read comes to. */
  readonly fault: Fault;
  /** How often it was asked for again, this time included. */
  readonly attempts: number;
  readonly retrial: (typeof RETRIALS)[number];
}

/** What is known after another vain attempt; null once the position is given up. */
export function suspectAfter(known: Suspect | null, fault: Fault): Suspect | null {
  const attempts = known?.attempts ?? 0;
  const retrial = RETRIALS[attempts];
  return retrial ? { fault, attempts: attempts + 1, retrial } : null;
}

/** The broker to ask for a partition: its leader, or another replica where the leader's is suspect. */
export function brokerFor(suspect: Suspect | null, found: PartitionLeader | undefined): number | null {
  const { leader = null, others = [] } = found ?? {};
  const replica = suspect?.retrial.replica ?? null;
  return replica === null ? leader : (others[replica % others.length] ?? leader);
}

/** What is kept of bytes that cannot be read. */
export const KEPT_BYTES = 256 * 1024;

/** The range that a fault comes to in the end. */
export function damagedRange(
  { topic, partition, from }: FetchedPart,
  to: Position,
  { reason, bytes }: Fault,
): UnreadableRange {
  const kept = bytes.length === 0 ? null : bytes.subarray(0, KEPT_BYTES);
  return { topic, partition, from, to, code: 'unreadable', reason, bytes: kept, timestamp: 0 };
}

/** A fault that the broker itself has found: it gives nothing out then. */
export const REFUSED: Fault = {
  reason: 'the broker finds it damaged and does not give it out',
  bytes: Buffer.alloc(0),
  to: null,
};

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
  const isSame = async (position: Position): Promise<boolean> => {
    const { partitions } = await answerWithin(limitMs, 'looking behind what is damaged', () =>
      client.fetch(broker, [{ topic, partition, from: position }], 0),
    );
    const answer = partitions.find((one) => one.topic === topic && one.partition === partition);
    if (!answer) throw new RetryableError(`Kafka says nothing of ${topic}/${partition}.`);
    if (fault.bytes.length === 0) return answer.errorCode === ERROR.corruptMessage || position >= end;
    // Where both begin with a batch at the same position.
    const length = Math.min(answer.bytes.length, fault.bytes.length, 8);
    if (length === 0 || !answer.bytes.subarray(0, length).equals(fault.bytes.subarray(0, length)))
      return false;
    return scanBatches(answer.bytes, position, answer.end).batches.length === 0;
  };
  const found = await firstOther(from, end, isSame);
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
