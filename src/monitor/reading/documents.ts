import { setImmediate as nextTurn } from 'node:timers/promises';

import type { DefinedTarget, HourView, TargetView } from '../../../projections/monitor/document.ts';
import { hourId, hourOf, hourOfId } from '../../../projections/monitor/hours.ts';
import { pagesOf } from '../../stores/documents/pages.ts';
import type { Query, Stored, Version } from '../../stores/documents/port.ts';
import { type ReadDocuments, VIEW } from '../../stores/time-limit.ts';
import { hasRoundsBefore, hourSince } from '../rounds.ts';
import { chunks } from '../../platform/chunks.ts';

/** What the hours of a target are found by. */
export type TargetKey = Pick<DefinedTarget, 'target' | 'since'>;

export interface StoredHour {
  readonly version: Version;
  readonly view: HourView;
}

/** Hours with their probes in one read: some 30 KB each, without as much again of registers. */
const HOURS = 16;
/** Targets, or versions of hours, in one read. */
const PAGE = 500;

export type MonitorDocuments = ReturnType<typeof createMonitorDocuments>;

/**
 * The monitor's documents, as the status needs them: each target, and its hours by their number. Rounds before `since` are
 * left out, so that of its hour nothing may be left.
 */
export function createMonitorDocuments(documents: ReadDocuments, collection: string) {
  return {
    /** The targets that are defined now. */
    async targets(): Promise<readonly DefinedTarget[]> {
      const query = { where: { 'view.kind': 'target' }, ...VIEW };
      const found = await all<{ readonly view: TargetView }>(query);
      return found.flatMap(({ body }) => (body.view.defined ? [body.view] : []));
    },

    /** The hours from this one through that one that have a document, with their versions. */
    async versions({ target, since }: TargetKey, from: number, through: number) {
      const hour = { gte: Math.max(from, hourOf(since)), lte: through };
      const where = { 'view.kind': 'hour', 'view.target': target, 'view.hour': hour };
      const found = await all({ where, keys: [] });
      return new Map<number, Version>(
        found.map(({ id, version }) => {
          const number = hourOfId(id) ?? 0;
          return [number, versionSince(version, number, since)];
        }),
      );
    },

    /** Those hours that have a document, with their probes. */
    async views(target: TargetKey, hours: readonly number[]): Promise<ReadonlyMap<number, StoredHour>> {
      const { target: name, since } = target;
      const ids = hours.filter((hour) => hour >= hourOf(since)).map((hour) => hourId(name, hour));
      const found = await inSlices(ids, HOURS, async (slice) => {
        const stored = await documents.get<{ readonly view: HourView }>(collection, slice, VIEW);
        return Array.from(stored.values(), ({ version, body: { view } }) => {
          const held = { version: versionSince(version, view.hour, since), view: hourSince(view, since) };
          return [view.hour, held] as const;
        });
      });
      return new Map(found.flat());
    },
  };

  async function all<Body>(query: Pick<Query, 'where' | 'keys'>): Promise<readonly Stored<Body>[]> {
    const found: Stored<Body>[] = [];
    for await (const page of pagesOf<Body>(documents, collection, { ...query, limit: PAGE })) {
      found.push(...page);
      // As in slices: an embedded store is synchronous.
      await nextTurn();
    }
    return found;
  }
}

/** A part of an hour is told from the whole: what is kept of one does not hold for the other. */
function versionSince(version: Version, hour: number, since: number): Version {
  return hasRoundsBefore(hour, since) ? `${version} since ${since}` : version;
}

/**
 * Does something with a long list in slices, one after the other, with a turn of the event loop between them: an
 * embedded store is synchronous, and what it reads at once nobody else can interrupt.
 */
export async function inSlices<T, Result>(
  list: readonly T[],
  size: number,
  work: (slice: readonly T[]) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const slice of chunks(list, size)) {
    if (results.length > 0) await nextTurn();
    results.push(await work(slice));
  }
  return results;
}
