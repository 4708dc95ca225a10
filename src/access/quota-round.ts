import type { Clock } from '../platform/clock.ts';
import { newVersion, type Documents, type Write } from '../stores/documents/port.ts';
import { learn, QUOTA, wanted, withShare, type Counter, type QuotaDay } from './quota-counter.ts';
import { writeUntilAnswered } from './write-until-answered.ts';

/** One counter's part in a round; no counter has two. */
export interface Asked {
  readonly counter: Counter;
  /** Requests that wait to be counted. */
  readonly requests: number;
}

export type Counted =
  | {
      readonly outcome: 'counted';
      /** How many of the requests are within the limit; the rest is refused. */
      readonly granted: number;
      /** Left in the day after them. */
      readonly remaining: number;
      /** Whether this made the day's document. */
      readonly first: boolean;
    }
  /** Somebody else has written meanwhile. Nothing is decided: ask again. */
  | { readonly outcome: 'conflict' };

export interface RoundOptions {
  readonly documents: Documents;
  readonly clock: Clock;
  /** This process's name in the documents. */
  readonly writer: string;
  readonly limit: number;
}

interface Plan {
  readonly counter: Counter;
  readonly granted: number;
  /** The own share with the granted requests. */
  readonly share: number;
  readonly write: Write<QuotaDay> | null;
}

/**
 * Counts requests: at most one read and one write for all counters, each document guarded by its own version. The
 * results stand in the order of what was asked; what is `counted` is durable.
 * @throws the store's errors; every counter is then read again before its next use.
 */
export async function countRound(
  options: RoundOptions,
  asked: readonly Asked[],
): Promise<readonly Counted[]> {
  try {
    await readDoubtful(options, asked);
    const plans = asked.map((part) => plan(options, part));
    const writes = plans.flatMap(({ write }) => write ?? []);
    const outcomes =
      writes.length > 0 ? await writeUntilAnswered(options.documents, options.clock, QUOTA.name, writes) : [];
    const conflicts = new Set(writes.flatMap((write, index) => (outcomes[index] === 'done' ? [] : write)));
    return plans.map((made) => settle(options, made, made.write !== null && conflicts.has(made.write)));
  } catch (thrown) {
    for (const { counter } of asked) counter.version = undefined;
    throw thrown;
  }
}

/** A refusal needs certainty too: others may have given back since this counter was last read. */
async function readDoubtful(
  { documents, writer, limit }: RoundOptions,
  asked: readonly Asked[],
): Promise<void> {
  const doubtful = asked.filter(
    ({ counter, requests }) => counter.version === undefined || requests > roomOf(counter, limit),
  );
  if (doubtful.length === 0) return;
  const found = await documents.get<QuotaDay>(
    QUOTA.name,
    doubtful.map(({ counter }) => counter.id),
  );
  for (const { counter } of doubtful) learn(counter, writer, found.get(counter.id));
}

function plan({ writer, limit }: RoundOptions, { counter, requests }: Asked): Plan {
  const granted = Math.min(requests, roomOf(counter, limit));
  counter.own = wanted(counter);
  counter.owed = 0;
  const share = counter.own + granted;
  // Where the store has this share already (a lost answer; as many given back as granted), it counts these requests.
  if (share === counter.stored) return { counter, granted, share, write: null };
  const body = withShare(counter, writer, share);
  const write = { id: counter.id, read: counter.version ?? null, version: newVersion(), body };
  return { counter, granted, share, write };
}

function settle(
  { limit }: RoundOptions,
  { counter, granted, share, write }: Plan,
  conflict: boolean,
): Counted {
  if (conflict) {
    counter.version = undefined;
    return { outcome: 'conflict' };
  }
  counter.own = share;
  counter.stored = share;
  const first = write?.read === null;
  if (write) counter.version = write.version;
  return { outcome: 'counted', granted, remaining: roomOf(counter, limit), first };
}

/** Requests that the day still has room for. */
function roomOf(counter: Counter, limit: number): number {
  return Math.max(0, limit - counter.othersUsed - wanted(counter));
}
