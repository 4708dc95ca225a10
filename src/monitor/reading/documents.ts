import type { DefinedTarget, HourView, TargetView } from '../../../projections/monitor/document.ts';
import { hourId, hourOf } from '../../../projections/monitor/hours.ts';
import { pagesOf } from '../../stores/documents/pages.ts';
import type { Version } from '../../stores/documents/port.ts';
import type { ReadDocuments } from '../../stores/time-limit.ts';
import { VIEW } from '../../stores/view.ts';
import { hasRoundsBefore, hourSince } from '../rounds.ts';
import { inSlices } from './slices.ts';

/** What the hours of a target are found by. */
export type TargetKey = Pick<DefinedTarget, 'target' | 'since'>;

/**
 * The monitor's documents, as the status needs them: each target, and its hours by their number. Rounds before `since` are
 * left out, so that of its hour nothing may be left.
 */
export interface MonitorDocuments {
  /** The targets that are defined now. */
  targets(): Promise<readonly DefinedTarget[]>;
  /** Which hours of a target have a document, up to this one, ascending. */
  hours(target: TargetKey, through: number): Promise<readonly number[]>;
  /** The versions of those hours that have a document. */
  versions(target: TargetKey, hours: readonly number[]): Promise<ReadonlyMap<number, Version>>;
  /** Those hours that have a document, with their probes. */
  views(target: TargetKey, hours: readonly number[]): Promise<ReadonlyMap<number, StoredHour>>;
}

export interface StoredHour {
  readonly version: Version;
  readonly view: HourView;
}

/** Ids in one read of versions, documents in one read of hours: some 30 KB each, without as much again of registers. */
const VERSIONS = 200;
const HOURS = 16;
const TARGETS = 200;

export function createMonitorDocuments(documents: ReadDocuments, collection: string): MonitorDocuments {
  return {
    async targets() {
      const targets: DefinedTarget[] = [];
      const query = { where: { 'view.kind': 'target' }, limit: TARGETS, ...VIEW };
      for await (const page of pagesOf<{ readonly view: TargetView }>(documents, collection, query)) {
        targets.push(...page.flatMap(({ body }) => (body.view.defined ? [body.view] : [])));
      }
      return targets;
    },

    async hours({ target, since }, through) {
      const hour = { gte: hourOf(since), lte: through };
      const where = { 'view.kind': 'hour', 'view.target': target, 'view.hour': hour };
      const groups = await documents.count(collection, { where, by: ['view.hour'] });
      return groups.map(({ values }) => Number(values[0])).sort((a, b) => a - b);
    },

    async versions(target, hours) {
      const stored = await byHour(target, hours, VERSIONS, (ids) => documents.versions(collection, ids));
      return new Map([...stored].map(([hour, version]) => [hour, versionSince(version, hour, target)]));
    },

    async views(target, hours) {
      const stored = await byHour(target, hours, HOURS, (ids) =>
        documents.get<{ readonly view: HourView }>(collection, ids, VIEW),
      );
      return new Map(
        [...stored].map(([hour, { version, body }]) => [
          hour,
          {
            version: versionSince(version, hour, target),
            view: hourSince(body.view, target.since),
          },
        ]),
      );
    },
  };
}

/** A part of an hour is told from the whole: what is kept of one does not hold for the other. */
function versionSince(version: Version, hour: number, { since }: TargetKey): Version {
  return hasRoundsBefore(hour, since) ? `${version} since ${since}` : version;
}

/** What is found of these hours, read in slices. */
async function byHour<T>(
  { target, since }: TargetKey,
  hours: readonly number[],
  size: number,
  read: (ids: readonly string[]) => Promise<ReadonlyMap<string, T>>,
): Promise<ReadonlyMap<number, T>> {
  const counted = hours.filter((hour) => hour >= hourOf(since));
  const found = await inSlices(counted, size, async (slice) => {
    const byId = await read(slice.map((hour) => hourId(target, hour)));
    return slice.flatMap((hour) => {
      const value = byId.get(hourId(target, hour));
      return value === undefined ? [] : [[hour, value] as const];
    });
  });
  return new Map(found.flat());
}
