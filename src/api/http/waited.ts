import type { IncomingMessage } from 'node:http';

import type { Take } from '../../access/quota/quota.ts';
import type { Soon } from '../../platform/soon.ts';
import type { Deadline } from '../../stores/time-limit.ts';

/**
 * What was begun for a request at the socket, before Node has read it: its quota was asked for, and it waits. Whoever answers
 * it goes on with this, so that it is counted once, and waits no longer than any other.
 */
export interface Waited {
  readonly startedAt: number;
  readonly deadline: Deadline;
  /** What it is counted by. */
  readonly place: string;
  readonly keyId: string;
  readonly taking: Soon<Take>;
  /** Whether somebody answers for what is taken; else it is to be given back. */
  isClaimed: boolean;
}

/** Of requests that were given to Node after they had waited. */
export type WaitedRequests = WeakMap<IncomingMessage, Waited>;

/** What is taken already for a request of this key; null where nothing is. */
export function claim(waited: Waited | null, place: string, keyId: string): Soon<Take> | null {
  if (!waited || waited.isClaimed || waited.place !== place || waited.keyId !== keyId) return null;
  waited.isClaimed = true;
  return waited.taking;
}
