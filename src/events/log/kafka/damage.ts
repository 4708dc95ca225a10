import { RetryableError } from '../../../platform/errors.ts';
import type { Batch, Position } from '../port.ts';
import type { FetchedPart, KafkaClient, PartitionLeader } from './client.ts';
import { within } from './reconnecting-client.ts';
import { scanBatches, type Fault } from './record-batches.ts';
import { KEPT_BYTES } from './slices.ts';
import { ERROR } from './protocol.ts';

/*
 * What a broker gives and cannot be read, of one partition at one position:
 *
 *   sound --a batch that is damaged, or does not end--> suspect --asked for again, and sound--> sound
 *   suspect --asked for five times in vain--> given up: a range that reading goes on behind
 *
 * A fault of the way is gone with the next answer, one of a connection with the next connection, one of a disk with
 * another replica.
 */

/** How to ask for a suspect position the next time, after a pause. */
export interface Retrial {
  readonly pauseMs: number;
  /** Over a connection of its own. */
  readonly isRenewed: boolean;
  /** Which of the other replicas to ask, counted from 0; null for the leader. */
  readonly replica: number | null;
}

const RETRIALS: readonly Retrial[] = [
  { pauseMs: 50, isRenewed: false, replica: null },
  { pauseMs: 250, isRenewed: true, replica: null },
  { pauseMs: 500, isRenewed: false, replica: 0 },
  { pauseMs: 1000, isRenewed: false, replica: 1 },
];

/** A batch that does not end: as long as others are served first, its turn has not come. */
const AT_ONCE: Retrial = { pauseMs: 0, isRenewed: false, replica: null };
const CUT_RETRIALS = 20;

/** What is known of a position that could not be read so far. */
export interface Suspect {
  /** What an answer without anything that can be read comes to. */
  readonly fault: Fault;
  readonly cuts: number;
  readonly faults: number;
  readonly retrial: Retrial;
}

/** What is known after another vain attempt; null once the position is given up. */
export function suspectAfter(known: Suspect | null, fault: Fault): Suspect | null {
  const { cuts, faults } = known ?? { cuts: 0, faults: 0 };
  if (fault.kind === 'cut' && cuts < CUT_RETRIALS) return { fault, cuts: cuts + 1, faults, retrial: AT_ONCE };
  const retrial = RETRIALS[faults];
  return retrial ? { fault, cuts, faults: faults + 1, retrial } : null;
}

/** The broker to ask for a partition: its leader, or another replica where the leader's is suspect. */
export function brokerFor(suspect: Suspect | null, found: PartitionLeader | undefined): number | null {
  const { leader = null, others = [] } = found ?? {};
  const replica = suspect?.retrial.replica ?? null;
  return replica === null ? leader : (others[replica % others.length] ?? leader);
}

/** The range that a fault comes to in the end. */
export async function* givenUp(
  { topic, partition }: { readonly topic: string; readonly partition: number },
  { from, reason, bytes }: Fault,
  to: Position,
): AsyncGenerator<Batch, void, undefined> {
  yield {
    from,
    next: to,
    records: [],
    unreadable: [
      {
        topic,
        partition,
        from,
        to,
        code: 'unreadable',
        reason,
        bytes: bytes.length === 0 ? null : bytes.subarray(0, KEPT_BYTES),
        timestamp: 0,
      },
    ],
  };
}

/** A fault that the broker itself has found: it gives nothing out then. */
export function refusedAt(from: Position): Fault {
  const reason = 'the broker finds it damaged and does not give it out';
  return { kind: 'damaged', from, to: null, reason, bytes: Buffer.alloc(0) };
}

/**
 * The first position behind a fault: where the broker gives something else, or where the fault itself ends, whichever
 * comes first. null where the broker refuses everything up to the end: then it is the broker that is in trouble.
 */
export async function findBehind(
  client: KafkaClient,
  broker: number,
  { topic, partition, from }: FetchedPart,
  fault: Fault,
  limitMs: number,
): Promise<Position | null> {
  const ends = (await client.ends(topic)).find((end) => end.partition === partition);
  const end = ends?.readable ?? ends?.latest ?? from;
  const found = await firstOther(from, end, async (position) => {
    const { partitions } = await within(limitMs, 'looking behind what is damaged', () =>
      client.fetch(broker, [{ topic, partition, from: position }], 0),
    );
    const answer = partitions.find((one) => one.topic === topic && one.partition === partition);
    if (!answer) throw new RetryableError(`Kafka says nothing of ${topic}/${partition}.`);
    if (fault.bytes.length === 0) return answer.errorCode === ERROR.corruptMessage || position >= end;
    if (!beginsLike(answer.bytes, fault.bytes)) return false;
    return scanBatches(answer.bytes, position, answer.end).batches.length === 0;
  });
  return found === null || fault.to === null ? (found ?? fault.to) : Math.min(found, fault.to);
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
