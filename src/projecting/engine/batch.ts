import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Decode, Rejection } from '../../events/decode.ts';
import type { CatalogEvent } from '../../events/event.ts';
import type { Batch, LogRecord } from '../../events/log/port.ts';
import { messageOf } from '../../platform/errors.ts';
import { applyEvents, type Applied, type ApplyOptions } from './apply.ts';
import type { Counts } from './lane.ts';
import { unreadableAs, type Unfoldable } from './parking.ts';
import type { ProjectorMetrics } from './projector-metrics.ts';
import type { Projection } from './projection.ts';

/** After so many records other lanes, health checks and leases of this thread have their turn. */
const TURN = 500;

export interface BatchOptions extends ApplyOptions {
  readonly decode: Decode;
  readonly metrics: Pick<ProjectorMetrics, 'skipped' | 'unknownFields'>;
}

export interface FoldedBatch {
  /** What became of the records; those to park are counted as parked. */
  readonly counts: Counts;
  readonly unfoldables: readonly Unfoldable[];
  /** How many events gave a known revision another content. */
  readonly conflicts: number;
}

/**
 * Decodes records and folds their events into documents; a range that cannot be read counts as one that is parked.
 * Resolves when every effect on documents is durable.
 */
export async function foldBatch(
  projection: Projection,
  { records, unreadable = [] }: Pick<Batch, 'records' | 'unreadable'>,
  options: BatchOptions,
): Promise<FoldedBatch> {
  const { decode, metrics } = options;
  const counts = { applied: 0, superseded: 0, parked: 0, ignored: 0 };
  const unfoldables: Unfoldable[] = unreadable.map(unreadableAs);
  const decoded: { readonly record: LogRecord; readonly event: CatalogEvent }[] = [];
  for (const [index, record] of records.entries()) {
    if (index % TURN === TURN - 1) await nextTurn();
    const result = decode(record);
    switch (result.outcome) {
      case 'event':
        decoded.push({ record, event: result.event });
        metrics.unknownFields.inc(result.unknownFields);
        break;
      case 'skipped':
        counts.ignored += 1;
        metrics.skipped.inc({ reason: result.reason });
        break;
      case 'rejected':
        unfoldables.push({ record, rejection: result.rejection });
        break;
    }
  }
  const events = decoded.map(({ event }) => event);
  const applied = await applyEvents(projection, events, options);
  let conflicts = 0;
  for (const [index, { record, event }] of decoded.entries()) {
    const effect = applied[index] as Applied;
    if (effect.kind === 'failed') {
      unfoldables.push({ record, rejection: foldFailure(event, effect.error) });
    } else {
      counts[effect.kind] += 1;
      if ('conflict' in effect && effect.conflict) conflicts += 1;
    }
  }
  counts.parked = unfoldables.length;
  return { counts, unfoldables, conflicts };
}

/** An event that decodes and cannot be folded, as a rejection. */
export function foldFailure({ id, source, type, subject }: CatalogEvent, error: unknown): Rejection {
  const reason = `the fold failed: ${messageOf(error)}`.slice(0, 500);
  return { code: 'fold_failed', reason, id, source, type, subject };
}
