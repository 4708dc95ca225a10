import type { Policy } from '../policy.ts';
import type { Watched } from '../history.ts';
import { createStoreTime } from '../../stores/store-time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Documents } from '../../stores/documents/port.ts';
import { lagAt, readLag } from '../../stores/lag.ts';
import type { Live } from '../../stores/live.ts';
import { limitedDocuments, withTimeLimit } from '../../stores/time-limit.ts';
import { createKeptSummaries } from './kept-summaries.ts';
import { createMonitorDocuments } from './documents.ts';
import { createTargetHours, type TargetHours } from './target-hours.ts';

/** The monitor as one poll of the stores found it. Instants are Unix times in milliseconds. */
export interface MonitorSnapshot {
  /** The very object of the poll before for each target of which nothing has changed. */
  readonly targets: readonly Watched[];
  /** The newest counted round that somebody reported in; null where nobody ever has. */
  readonly reported: number | null;
  /** How far the projection was behind the log; infinite where nobody has ever said. */
  readonly lagMs: number;
  /** When hours began to be read: by the store's clock, which all instances share, and by this process's `monotonic`. */
  readonly readAt: number;
  readonly localAt: number;
}

export const EMPTY_SNAPSHOT: MonitorSnapshot = {
  targets: [],
  reported: null,
  lagMs: Number.POSITIVE_INFINITY,
  readAt: 0,
  localAt: 0,
};

export interface PollOptions {
  readonly documents: Documents;
  readonly live: Pick<Live, 'read'>;
  readonly policy: Policy;
  readonly clock: Clock;
  readonly storeLimitMs: number;
  readonly logger: Logger;
}

/** What is known of one target; `watched` changes only where something in it has. */
interface Known {
  readonly hours: TargetHours;
  watched: Watched | null;
}

/** Returns what polls the stores. Not to be called while the one before is still under way. Throws what stores throw. */
export function createPoll(options: PollOptions): () => Promise<MonitorSnapshot> {
  const { live, policy, clock, storeLimitMs, logger } = options;
  const documents = limitedDocuments(options.documents, storeLimitMs);
  const storeTime = createStoreTime(documents, clock);
  let readModel: ReadModel | null = null;

  return async () => {
    const readAt = await storeTime.now();
    const localAt = clock.monotonic();
    const alias = await withTimeLimit(live.read('monitor'), storeLimitMs);
    if (!alias) return { ...EMPTY_SNAPSHOT, readAt, localAt };
    if (readModel?.collection !== alias.collection) readModel = openReadModel(alias.collection);
    // Before the hours: what is said to be consumed must be in them.
    const lag = await readLag(documents, alias.collection);
    const { targets, reported } = await readModel.poll(readAt);
    const lagMs = lag ? lagAt(lag, readAt) : Number.POSITIVE_INFINITY;
    return { targets, reported, lagMs, readAt, localAt };
  };

  function openReadModel(collection: string): ReadModel {
    const monitor = createMonitorDocuments(documents, collection);
    const kept = createKeptSummaries({ documents: options.documents, collection, storeLimitMs, logger });
    const known = new Map<string, Known>();
    return {
      collection,
      async poll(now) {
        const defined = await monitor.targets();
        const ids = new Set(defined.map(({ target }) => target));
        for (const id of known.keys()) if (!ids.has(id)) known.delete(id);
        const targets: Watched[] = [];
        let reported: number | null = null;
        // One after the other: the first poll of each may read thousands of hours.
        for (const view of defined) {
          const { target } = view;
          const before = known.get(target) ?? {
            hours: createTargetHours({ target, documents: monitor, kept, policy }),
            watched: null,
          };
          known.set(target, before);
          const held = await before.hours.poll(now);
          if (held.reported !== null) reported = Math.max(reported ?? held.reported, held.reported);
          before.watched = watchedOf(before.watched, view, held);
          targets.push(before.watched);
        }
        kept.save([]);
        return { targets, reported };
      },
    };
  }
}

interface ReadModel {
  readonly collection: string;
  poll(now: number): Promise<Pick<MonitorSnapshot, 'targets' | 'reported'>>;
}

function watchedOf(
  before: Watched | null,
  target: Watched['target'],
  { hours, summaries }: Pick<Watched, 'hours' | 'summaries'>,
): Watched {
  const isSame =
    before !== null &&
    before.hours === hours &&
    before.summaries === summaries &&
    JSON.stringify(before.target) === JSON.stringify(target);
  return isSame ? before : { target, hours, summaries };
}
