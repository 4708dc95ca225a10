import { z } from 'zod';

import { firstKeptHour, hourId } from '../../../projections/monitor/hours.ts';
import { hourSummary } from '../hour-summary.ts';
import { messageOf } from '../../platform/errors.ts';
import type { Logger } from '../../platform/logger.ts';
import { newVersion, type CollectionSpec, type Documents } from '../../stores/documents/port.ts';
import { withTimeLimit } from '../../stores/time-limit.ts';
import type { Link } from './summary-chain.ts';
import { inSlices } from './documents.ts';

/**
 * Summaries of closed hours, kept so that a start does not read a hundred days of probes. It is a cache: every instance
 * writes it, several write the same, and what is missing, damaged or of another release is made again.
 */
export const SUMMARIES: CollectionSpec = { name: 'monitor-summaries', indexes: [] };

export type KeptSummaries = ReturnType<typeof createKeptSummaries>;

interface KeptSummariesOptions {
  readonly documents: Pick<Documents, 'get' | 'versions' | 'write' | 'remove'>;
  /** Of the read model whose hours they are of: part of their ids. */
  readonly collection: string;
  readonly storeLimitMs: number;
  readonly logger: Logger;
}

const keptLink = z.object({ version: z.string(), summary: hourSummary });

/** Documents in one read or write, of about 1.3 KB each. */
const SLICE = 50;
/** How far back those are looked for that are too old. */
const REMOVED_HOURS = 240;

export function createKeptSummaries(options: KeptSummariesOptions) {
  const { documents, collection, storeLimitMs, logger } = options;
  const waiting = new Map<string, Link>();
  let isSaving = false;
  const idOf = (target: string, hour: number): string => `${collection}/${hourId(target, hour)}`;
  const inTime = <T>(work: Promise<T>): Promise<T> => withTimeLimit(work, storeLimitMs);
  const stored = (ids: readonly string[]) => inTime(documents.get<unknown>(SUMMARIES.name, ids));

  return {
    /** What is kept of these hours; nothing where that cannot be read, which is logged. It may hold no longer. */
    async read(target: string, hours: readonly number[]): Promise<ReadonlyMap<number, Link>> {
      const ids = hours.map((hour) => idOf(target, hour));
      try {
        return new Map((await inSlices(ids, SLICE, readLinks)).flat());
      } catch (thrown) {
        logger.warn({ reason: messageOf(thrown) }, 'kept summaries cannot be read: they are made again');
        return new Map();
      }
    },

    /**
     * Keeps these in the background, and what could not be kept before; removes those of hours that are too old to count,
     * ten days back: an instance that was away for longer leaves a little behind. Never throws: what fails is logged, and
     * tried again with the next call.
     */
    save(links: readonly Link[]): void {
      for (const link of links) waiting.set(idOf(link.summary.target, link.summary.hour), link);
      if (isSaving || waiting.size === 0) return;
      isSaving = true;
      void saveWaiting()
        .catch((thrown: unknown) => logger.warn({ reason: messageOf(thrown) }, 'summaries were not kept'))
        .finally(() => (isSaving = false));
    },
  };

  async function readLinks(ids: readonly string[]): Promise<readonly (readonly [number, Link])[]> {
    return [...(await stored(ids)).values()].flatMap(({ body }) => {
      const link = keptLink.safeParse(body);
      return link.success ? [[link.data.summary.hour, link.data] as const] : [];
    });
  }

  async function saveWaiting(): Promise<void> {
    const links = [...waiting];
    await inSlices(links, SLICE, saveLinks);
    const newest = new Map(links.map(([, { summary }]) => [summary.target, summary.hour]));
    for (const [target, hour] of newest) await removeBefore(target, firstKeptHour(hour));
  }

  async function saveLinks(links: readonly (readonly [string, Link])[]): Promise<void> {
    const before = await stored(links.map(([id]) => id));
    const writes = links
      .filter(([id, link]) => JSON.stringify(before.get(id)?.body) !== JSON.stringify(link))
      .map(([id, body]) => ({ id, read: before.get(id)?.version ?? null, version: newVersion(), body }));
    // A conflict means that somebody else has just kept theirs: the same, or one that the next start makes again.
    await inTime(documents.write(SUMMARIES.name, writes));
    for (const [id, link] of links) if (waiting.get(id) === link) waiting.delete(id);
  }

  async function removeBefore(target: string, first: number): Promise<void> {
    const ids = Array.from({ length: REMOVED_HOURS }, (_, index) => idOf(target, first - 1 - index));
    const old = [...(await inTime(documents.versions(SUMMARIES.name, ids)))];
    if (old.length === 0) return;
    const removals = old.map(([id, read]) => ({ id, read }));
    await inTime(documents.remove(SUMMARIES.name, removals));
  }
}
