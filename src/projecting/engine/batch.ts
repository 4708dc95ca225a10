import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Decode, Rejection } from '../../events/decode.ts';
import type { CatalogEvent } from '../../events/event.ts';
import type { Batch, LogRecord } from '../../events/log/port.ts';
import { messageOf } from '../../platform/errors.ts';
import { applyEvents, type Applied } from './apply.ts';
import { consumed, type HeldCheckpoint } from './checkpoint.ts';
import type { Counts } from './lane.ts';
import type { Leap } from './leap.ts';
import { requireOwn, writeCheckpoint, type LaneContext } from './lane-context.ts';
import { lastRecord } from './log-fit.ts';
import { describeParked, park, unreadableAs, type Unfoldable } from './parking.ts';
import type { ProjectorMetrics } from './projector-metrics.ts';
import type { Projection } from './projection.ts';
import { conflictPause, Stopped } from './retry.ts';
import type { Refusals, WritingOptions } from './write-documents.ts';

/** After so many records other lanes, health checks and leases of this thread have their turn. */
const TURN = 500;

/** Folds one batch of a lane that is held, and checkpoints it: last, once everything it did is durable. */
export async function consumeBatch(
  context: LaneContext,
  projection: Projection,
  held: HeldCheckpoint,
  batch: Batch,
  refusals: Refusals,
): Promise<void> {
  const { parts, lane, name, retry, signal } = context;
  const { clock, metrics, logger, random = Math.random } = parts;
  const pause = async (attempt: number): Promise<void> => {
    if (signal.aborted) throw new Stopped('stopped between two attempts');
    await clock.sleep(conflictPause(attempt, random), signal);
  };
  const decode = projection.decode ?? parts.decode;
  /** By document: one that is folded again after a conflict leaps once. */
  const leaps = new Map<string, Leap>();
  const onLeap = (document: string, leap: Leap) => leaps.set(document, leap);
  const options = { ...parts, decode, retry, pause, refusals, onLeap };
  await requireOwn(context, held);
  const { counts, unfoldables, conflicts } = await foldBatch(projection, batch, options);
  await parkAll(context, held, unfoldables);
  const record = batch.records.at(-1);
  const last = record ? lastRecord(record) : null;
  await writeCheckpoint(context, held, (it) => consumed(it, batch.next, counts, last));
  metrics.consumed(lane, counts, conflicts);
  parts.onWritten?.(lane.readModel);
  if (conflicts > 0) logger.warn({ lane: name, conflicts }, 'one revision with two contents');
  const [first] = leaps;
  if (first) {
    const [document, { from, to }] = first;
    logger.warn({ lane: name, leaps: leaps.size, document, from, to }, 'a revision leaps');
  }
}

export async function parkAll(
  { parts, surroundings, lane: id, retry }: LaneContext,
  held: HeldCheckpoint,
  unfoldables: readonly Unfoldable[],
): Promise<void> {
  if (unfoldables.length === 0) return;
  const lane = { ...id, incarnation: held.checkpoint.incarnation };
  // What a build parks that nobody sees yet is announced when it becomes live.
  const announceOn = surroundings.gate.isLive(id.readModel) ? parts.rejectedTopic : null;
  await retry('parking events', async () => {
    // A worker that has replaced this one may be of a newer release, and have folded what this one cannot.
    await held.requireOwn();
    const now = parts.clock.now();
    await park(parts, { lane, now, announceOn }, unfoldables);
  });
  for (const unfoldable of unfoldables) parts.logger.warn(describeParked(lane, unfoldable), 'event parked');
}

export interface BatchOptions extends WritingOptions {
  readonly decode: Decode;
  readonly onLeap?: (document: string, leap: Leap) => void;
  /** Absent for what was counted when it was first read. */
  readonly metrics?: Pick<ProjectorMetrics, 'skipped' | 'unknownFields'>;
}

interface FoldedBatch {
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
        if (result.unknownFields > 0) metrics?.unknownFields.inc(result.unknownFields);
        break;
      case 'skipped':
        counts.ignored += 1;
        metrics?.skipped.inc({ reason: result.reason });
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
