import { Counter, type Registry } from '../../platform/metrics-registry.ts';
import { laneName, type Counts, type LaneId } from './lane.ts';

export type ProjectorMetrics = ReturnType<typeof createProjectorMetrics>;

/** What a projector counts, for Prometheus. Labels are bounded: projections, topics, partitions, fixed reasons. */
export function createProjectorMetrics(registry: Registry) {
  const registers = [registry];
  const records = new Counter({
    name: 'catalog_records_consumed_total',
    help: 'Records consumed, by what became of them: applied, superseded, parked or ignored.',
    labelNames: ['lane', 'outcome'] as const,
    registers,
  });
  const contradictions = new Counter({
    name: 'catalog_conflicts_total',
    help: 'Events that gave a known revision another content.',
    labelNames: ['lane'] as const,
    registers,
  });
  return {
    skipped: new Counter({
      name: 'catalog_records_skipped_total',
      help: 'Records ignored before the fold: tombstones and events of unknown types.',
      labelNames: ['reason'] as const,
      registers,
    }),
    unknownFields: new Counter({
      name: 'catalog_unknown_fields_total',
      help: 'Fields of events that the schemas do not know and dropped.',
      registers,
    }),
    /** Counts a batch once its checkpoint is durable. */
    consumed: (lane: LaneId, counts: Counts, conflicts: number): void => {
      const labels = { lane: laneName(lane) };
      for (const outcome of ['applied', 'superseded', 'parked', 'ignored'] as const) {
        records.inc({ ...labels, outcome }, counts[outcome]);
      }
      contradictions.inc(labels, conflicts);
    },
  };
}
