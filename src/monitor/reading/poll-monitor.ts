import type { Policy } from '../policy.ts';
import { createStoreTime } from '../../stores/store-time.ts';
import { memoizeLatest } from '../../platform/once.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Documents } from '../../stores/documents/port.ts';
import { lagAt, readLag } from '../../stores/lag-notes.ts';
import type { ReadAlias } from '../../stores/aliases.ts';
import { limitedDocuments, withTimeLimit } from '../../stores/time-limit.ts';
import { createKeptSummaries } from './stored-hour-summaries.ts';
import { createMonitorDocuments } from './documents.ts';
import type { TargetData } from '../target-history.ts';
import {
  createTargetHours,
  type HeldHours,
  type PollHours,
  type TargetHoursOptions,
} from './target-hours-cache.ts';

/** The monitor as one poll of the stores found it. Instants are Unix times in milliseconds. */
export interface MonitorSnapshot {
  readonly targets: readonly PolledTarget[];
  /** How far the projection was behind the log; infinite where nobody has ever said. */
  readonly lagMs: number;
  /** When hours began to be read: by the store's clock, which all instances share, and by this process's `monotonic`; 0 before the first time. */
  readonly readAt: number;
  readonly localAt: number;
}

export const EMPTY_SNAPSHOT: MonitorSnapshot = {
  targets: [],
  lagMs: Number.POSITIVE_INFINITY,
  readAt: 0,
  localAt: 0,
};

export interface PollOptions {
  readonly documents: Documents;
  readonly live: ReadAlias;
  readonly policy: Policy;
  readonly clock: Clock;
  readonly storeLimitMs: number;
  readonly logger: Logger;
}

/** Returns what polls the stores. Not to be called while the one before is still under way. Throws what stores throw. */
export function createPoll(options: PollOptions): () => Promise<MonitorSnapshot> {
  const { live, policy, clock, storeLimitMs, logger } = options;
  const documents = limitedDocuments(options.documents, storeLimitMs);
  const storeTime = createStoreTime(documents, clock);
  const readModelOf = memoizeLatest((collection) =>
    createReadModel({
      documents: createMonitorDocuments(documents, collection),
      kept: createKeptSummaries({ documents: options.documents, collection, storeLimitMs, logger }),
      policy,
      clock,
    }),
  );

  return async function poll(): Promise<MonitorSnapshot> {
    const readAt = await storeTime.now();
    const localAt = clock.monotonic();
    const alias = await withTimeLimit(live('monitor'), storeLimitMs);
    if (!alias) return { ...EMPTY_SNAPSHOT, readAt, localAt };
    // Before the hours: what is said to be consumed must be in them.
    const lag = await readLag(documents, alias.collection);
    const targets = await readModelOf(alias.collection)(readAt);
    // All its calls together may take longer than a build is kept quiet that was live before.
    const after = await withTimeLimit(live('monitor'), storeLimitMs);
    if (after?.collection !== alias.collection) return await poll();
    const lagMs = lag ? lagAt(lag, readAt) : Number.POSITIVE_INFINITY;
    return { targets, lagMs, readAt, localAt };
  };
}

/** A target as one poll found it; what has not changed in it since is in the very objects of the poll before. */
type PolledTarget = TargetData & HeldHours;

/** Returns what polls all targets of a read model as they are at a moment of the store's clock, one call after the other. */
export function createReadModel(
  options: Omit<TargetHoursOptions, 'target'>,
): (now: number) => Promise<readonly PolledTarget[]> {
  const known = new Map<string, PollHours>();
  return async (now) => {
    const defined = await options.documents.targets();
    const byName = new Map(defined.map((target) => [`${target.target} ${target.since}`, target]));
    for (const name of known.keys()) if (!byName.has(name)) known.delete(name);
    const targets: PolledTarget[] = [];
    // One after the other: the first poll of each may read thousands of hours.
    for (const [name, target] of byName) {
      const poll = known.getOrInsertComputed(name, () => createTargetHours({ ...options, target }));
      targets.push({ target, ...(await poll(now)) });
    }
    return targets;
  };
}
