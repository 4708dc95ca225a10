import type { HourView, TargetView } from '../../../projections/monitor/document.ts';
import { hourId } from '../../../projections/monitor/hours.ts';
import type { Version } from '../../stores/documents/port.ts';
import type { ReadDocuments } from '../../stores/time-limit.ts';
import { VIEW } from '../../stores/view.ts';
import { inSlices } from './slices.ts';

/** The monitor's documents, as the status needs them: each target, and its hours by their number. */
export interface MonitorDocuments {
  /** The targets that are defined now. */
  targets(): Promise<readonly TargetView[]>;
  /** Which hours of a target have a document, up to this one, ascending. */
  hours(target: string, through: number): Promise<readonly number[]>;
  /** The versions of those hours that have a document. */
  versions(target: string, hours: readonly number[]): Promise<ReadonlyMap<number, Version>>;
  /** Those hours that have a document, with their probes. */
  views(target: string, hours: readonly number[]): Promise<ReadonlyMap<number, StoredHour>>;
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
      const targets: TargetView[] = [];
      const query = { where: { 'view.kind': 'target' }, order: ['view.target'], limit: TARGETS, ...VIEW };
      let page = await documents.find<{ readonly view: TargetView }>(collection, query);
      for (;;) {
        targets.push(...page.documents.map(({ body }) => body.view));
        if (page.next === null) return targets.filter(({ defined }) => defined);
        page = await documents.find(collection, { ...query, after: page.next });
      }
    },

    async hours(target, through) {
      const where = { 'view.kind': 'hour', 'view.target': target, 'view.hour': { lte: through } };
      const groups = await documents.count(collection, { where, by: ['view.hour'] });
      return groups.map(({ values }) => Number(values[0])).sort((a, b) => a - b);
    },

    versions: (target, hours) =>
      byHour(target, hours, VERSIONS, (ids) => documents.versions(collection, ids)),

    async views(target, hours) {
      const stored = await byHour(target, hours, HOURS, (ids) =>
        documents.get<{ readonly view: HourView }>(collection, ids, VIEW),
      );
      return new Map([...stored].map(([hour, { version, body }]) => [hour, { version, view: body.view }]));
    },
  };
}

/** What is found of these hours, read in slices. */
async function byHour<T>(
  target: string,
  hours: readonly number[],
  size: number,
  read: (ids: readonly string[]) => Promise<ReadonlyMap<string, T>>,
): Promise<ReadonlyMap<number, T>> {
  const found = await inSlices(hours, size, async (slice) => {
    const byId = await read(slice.map((hour) => hourId(target, hour)));
    return slice.flatMap((hour) => {
      const value = byId.get(hourId(target, hour));
      return value === undefined ? [] : [[hour, value] as const];
    });
  });
  return new Map(found.flat());
}
