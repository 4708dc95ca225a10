import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Decode, Rejection } from '../../events/decode.ts';
import type { CatalogEvent } from '../../events/event.ts';
import type { Batch, LogRecord } from '../../events/log/port.ts';
import { chunks } from '../../platform/chunks.ts';
import { messageOf } from '../../platform/errors.ts';
import { applyEvents, type EventOutcome, type ApplyingOptions } from './apply-events.ts';
import { unreadableRecord, type Unfoldable } from './parking.ts';
import type { Projection } from './projection.ts';

/** What records are once they are decoded: events to fold, and what is counted or parked instead. */
export interface DecodedRecords {
  readonly events: { readonly record: LogRecord; readonly event: CatalogEvent }[];
  /** How many records were skipped, by reason. */
  readonly skipped: Map<'tombstone' | 'unknown_type', number>;
  /** How many fields of events no schema knows. */
  unknownFields: number;
  /** A range that cannot be read counts as one. */
  readonly unfoldables: Unfoldable[];
}

export interface BatchOptions extends ApplyingOptions {
  readonly decode: Decode;
}

/** After so many records other lanes, health checks and leases of this thread have their turn. */
const TURN = 500;

export function noRecords(): DecodedRecords {
  return { events: [], skipped: new Map(), unknownFields: 0, unfoldables: [] };
}

/** Decodes the records of a batch, behind what was decoded before. */
export async function decodeBatch(
  decoded: DecodedRecords,
  { records, unreadable = [] }: Pick<Batch, 'records' | 'unreadable'>,
  decode: Decode,
  breathe: () => Promise<void> = () => nextTurn(),
): Promise<void> {
  const { events, skipped, unfoldables } = decoded;
  unfoldables.push(...unreadable.map(unreadableRecord));
  for (const [at, some] of [...chunks(records, TURN)].entries()) {
    if (at > 0) await breathe();
    for (const record of some) {
      const result = decode(record);
      switch (result.outcome) {
        case 'event':
          events.push({ record, event: result.event });
          decoded.unknownFields += result.unknownFields;
          break;
        case 'skipped':
          skipped.set(result.reason, (skipped.get(result.reason) ?? 0) + 1);
          break;
        case 'rejected':
          unfoldables.push({ record, rejection: result.rejection });
          break;
      }
    }
  }
}

/** Folds what was decoded into documents. Resolves when every effect on documents is durable. */
export async function foldDecoded(projection: Projection, decoded: DecodedRecords, options: ApplyingOptions) {
  const applied = await applyEvents(
    projection,
    decoded.events.map(({ event }) => event),
    options,
  );
  /** What became of the records; those to park are counted as parked. */
  const counts = { applied: 0, superseded: 0, parked: 0, ignored: 0 };
  const unfoldables = [...decoded.unfoldables];
  /** How many events gave a known revision another content. */
  let conflicts = 0;
  for (const [index, { record, event }] of decoded.events.entries()) {
    const effect = applied[index] as EventOutcome;
    if (effect.kind === 'failed') {
      unfoldables.push({ record, rejection: foldFailure(event, effect.error) });
    } else {
      counts[effect.kind] += 1;
      if ('conflict' in effect && effect.conflict) conflicts += 1;
    }
  }
  for (const count of decoded.skipped.values()) counts.ignored += count;
  counts.parked = unfoldables.length;
  return { counts, unfoldables, conflicts };
}

/** Both at once, for a few records. */
export async function foldBatch(
  projection: Projection,
  batch: Pick<Batch, 'records' | 'unreadable'>,
  options: BatchOptions,
) {
  const decoded = noRecords();
  await decodeBatch(decoded, batch, options.decode);
  return await foldDecoded(projection, decoded, options);
}

/** An event that decodes and cannot be folded, as a rejection. */
function foldFailure({ id, source, type, subject }: CatalogEvent, error: unknown): Rejection {
  const reason = `the fold failed: ${messageOf(error)}`.slice(0, 500);
  return { code: 'fold_failed', reason, id, source, type, subject };
}
