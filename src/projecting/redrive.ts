import type { Decode, Rejection } from '../events/decode.ts';
import { newVersion, type Documents, type Stored } from '../stores/documents/port.ts';
import { applyEvents, type ApplyOptions } from './apply.ts';
import { PARKED, recordOf, type ParkedEvent } from './parking.ts';
import { collectionOf, type Projection } from './projection.ts';

/** What became of a parked event that somebody wanted to redrive or discard. */
export type Settled =
  | { readonly outcome: 'redriven' | 'discarded' | 'gone' }
  | { readonly outcome: 'still_rejected'; readonly reason: string };

export interface RedriveParts extends ApplyOptions {
  readonly projections: readonly Projection[];
  readonly decode: Decode;
  readonly now: number;
}

/**
 * Decodes a parked event with today's schemas and folds it, as if it had just come. It is taken off the list once its
 * effect is durable; where it is still refused, the new reason is kept.
 */
export async function redrive(parked: Stored<ParkedEvent>, parts: RedriveParts): Promise<Settled> {
  const refused = await tryAgain(parked.body, parts);
  if (refused === null) {
    await parts.documents.remove(PARKED.name, [{ id: parked.id, read: parked.version }]);
    return { outcome: 'redriven' };
  }
  const body: ParkedEvent = { ...parked.body, rejection: refused, redrives: parked.body.redrives + 1 };
  await parts.documents.write(PARKED.name, [
    { id: parked.id, read: parked.version, version: newVersion(), body },
  ]);
  return { outcome: 'still_rejected', reason: refused.reason };
}

/** null where the event is folded (or is one to skip); else why not. */
async function tryAgain(parked: ParkedEvent, parts: RedriveParts): Promise<Rejection | null> {
  const refuse = (reason: string): Rejection => ({ ...parked.rejection, reason });
  const projection = parts.projections.find((one) => collectionOf(one) === parked.readModel);
  if (!projection) return refuse(`this release does not have the read model ${parked.readModel}`);
  const record = recordOf(parked);
  if (!record) return refuse('its bytes were not kept: publish a corrected event instead');
  const decoded = parts.decode(record);
  if (decoded.outcome === 'rejected') return decoded.rejection;
  if (decoded.outcome === 'skipped') return null;
  const [effect] = await applyEvents(projection, [decoded.event], parts);
  return effect?.kind === 'failed' ? refuse(`the fold failed: ${String(effect.error)}`) : null;
}

/** Drops the content of a parked event and keeps the decision. */
export async function discard(documents: Documents, parked: Stored<ParkedEvent>): Promise<Settled> {
  const body: ParkedEvent = { ...parked.body, state: 'discarded', value: null, headers: {} };
  const [outcome] = await documents.write(PARKED.name, [
    { id: parked.id, read: parked.version, version: newVersion(), body },
  ]);
  return { outcome: outcome === 'done' ? 'discarded' : 'gone' };
}
