import type { PartitionLeader } from './client.ts';
import type { Fault } from './record-batches.ts';

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
interface Retrial {
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

/** What is known of a position that could not be read so far. */
export interface Suspect {
  /** What an answer without anything that can be read comes to. */
  readonly fault: Fault;
  /** How often it was asked for again, this time included. */
  readonly attempts: number;
  readonly retrial: Retrial;
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
