import { z } from 'zod';

import { firstKeptHour, hourId } from '../../../projections/monitor/hours.ts';
import { hourSummary } from '../hour-summary.ts';
import { messageOf } from '../../platform/errors.ts';
import type { Logger } from '../../platform/logger.ts';
import { newVersion, type CollectionSpec, type Documents } from '../../stores/documents/port.ts';
import { withTimeLimit } from '../../stores/time-limit.ts';
import type { Link } from './chain.ts';
import { inSlices } from './slices.ts';

/**
 * Summaries of closed hours, kept so that a start does not read a hundred days of probes. It is a cache: every instance
 * writes it, several write the same, and what is missing, damaged or of another release is made again.
 */
export const SUMMARIES: CollectionSpec = { name: 'monitor-summaries', indexes: [] };

export interface KeptSummaries {
  /**
   * What is kept of these hours of a target; nothing, where that cannot be read, which is logged. Whether it still holds
   * is for the reader to find out.
   */
  read(target: string, hours: readonly number[]): Promise<ReadonlyMap<number, Link>>;
  /**
   * Keeps these in the background, and removes those of hours as long ago as none counts any more. Never throws: what fails
   * is logged, and the next start makes it again.
   */
  save(links: readonly Link[]): void;
}

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

export function createKeptSummaries(options: KeptSummariesOptions): KeptSummaries {
  const { documents, collection, storeLimitMs, logger } = options;
  const idOf = (target: string, hour: number): string => `${collection}/${hourId(target, hour)}`;
  const inTime = <T>(work: Promise<T>): Promise<T> => withTimeLimit(work, storeLimitMs);
  const stored = (ids: readonly string[]) => inTime(documents.get<unknown>(SUMMARIES.name, ids));

  return {
    async read(target, hours) {
      const ids = hours.map((hour) => idOf(target, hour));
      try {
        return new Map((await inSlices(ids, SLICE, readLinks)).flat());
      } catch (thrown) {
        logger.warn({ reason: messageOf(thrown) }, 'kept summaries cannot be read: they are made again');
        return new Map();
      }
    },

    save(links) {
      void inSlices(links, SLICE, saveLinks).catch((thrown: unknown) =>
        logger.warn({ reason: messageOf(thrown) }, 'summaries were not kept'),
      );
    },
  };

  async function readLinks(ids: readonly string[]): Promise<readonly (readonly [number, Link])[]> {
    return [...(await stored(ids)).values()].flatMap(({ body }) => {
      const link = keptLink.safeParse(body);
      return link.success ? [[link.data.summary.hour, link.data] as const] : [];
    });
  }

  async function saveLinks(links: readonly Link[]): Promise<void> {
    const named = links.map((link) => [idOf(link.summary.target, link.summary.hour), link] as const);
    const before = await stored(named.map(([id]) => id));
    const writes = named
      .filter(([id, link]) => JSON.stringify(before.get(id)?.body) !== JSON.stringify(link))
      .map(([id, body]) => ({ id, read: before.get(id)?.version ?? null, version: newVersion(), body }));
    // A conflict means that somebody else has just kept theirs: the same, or one that the next start makes again.
    await inTime(documents.write(SUMMARIES.name, writes));
    const old = links.map(({ summary: { target, hour } }) => idOf(target, firstKeptHour(hour) - 1));
    const removals = [...(await inTime(documents.versions(SUMMARIES.name, old)))];
    if (removals.length === 0) return;
    await inTime(
      documents.remove(
        SUMMARIES.name,
        removals.map(([id, read]) => ({ id, read })),
      ),
    );
  }
}
