import { firstAppendedAt } from '../../events/original-time.ts';
import type { Rejection } from '../../events/decode.ts';
import type { Log } from '../../events/log/port.ts';
import {
  changeDocument,
  changeDocumentFor,
  readDocument,
  removeDocument,
  replaceDocument,
} from '../../stores/documents/change-document.ts';
import type { Documents, Stored } from '../../stores/documents/port.ts';
import { foldBatch, type BatchOptions } from './decode-and-fold-batch.ts';
import { CHECKPOINTS, laneName, type Checkpoint } from './lane.ts';
import { park, PARKED, parkedId, recordOf, type ParkedEvent, type Unfoldable } from './parking.ts';
import { collectionOf, type Projection } from './projection.ts';

/** What became of a parked event that somebody wanted to redrive or discard. */
export type ParkedOutcome =
  | { readonly outcome: 'redriven' | 'discarded' | 'gone' }
  | { readonly outcome: 'still_rejected'; readonly reason: string };

interface RedriveParts extends BatchOptions {
  readonly projections: readonly Projection[];
  readonly now: number;
  readonly log: Log;
  /** The topic that rejected events are announced on. */
  readonly rejectedTopic: string;
  /** Whether readers see a build: upstream hears of what others refuse once they do. Default: all are live. */
  readonly isLive?: (build: string) => boolean;
}

/**
 * Decodes a parked event with today's schemas and folds it, as if it had just come. It is taken off the list once its
 * effect is durable; where the event itself is still refused, the new reason is kept.
 */
export async function redrive(parked: Stored<ParkedEvent>, parts: RedriveParts): Promise<ParkedOutcome> {
  if (parked.body.state === 'discarded') return { outcome: 'still_rejected', reason: 'it was discarded' };
  if (parked.body.state === 'redriven') return { outcome: 'gone' };
  const { to, readModel } = parked.body;
  const isRange = to !== undefined;
  const projection = parts.projections.find((one) => collectionOf(one) === readModel);
  let tried: Rejection | string | null =
    `this release does not have the fold of ${readModel}, or that build is gone`;
  if (projection && isRange) tried = await redriveRange({ ...parked.body, to }, parked.id, projection, parts);
  else if (projection) tried = await tryAgain(parked.body, projection, parts);
  if (tried === null) {
    if (isRange) await settleAs('redriven', parts.documents, parked);
    // Also where somebody else has changed it meanwhile: its effect is in the documents.
    else await removeDocument(parts.documents, PARKED.name, parked.id);
    return { outcome: 'redriven' };
  }
  const { redriving: _over, ...known } = parked.body;
  const rejection = typeof tried === 'string' ? known.rejection : tried;
  const body: ParkedEvent = { ...known, rejection, redrives: known.redrives + 1 };
  await replaceDocument(parts.documents, PARKED.name, parked, body);
  return { outcome: 'still_rejected', reason: typeof tried === 'string' ? tried : tried.reason };
}

/** A redrive that was begun. */
export interface BegunRedrive {
  readonly parked: Stored<ParkedEvent>;
  /** Whether somebody else had begun it, and may have been killed: his effects are not known. */
  readonly isResumed: boolean;
}

/** Notes of an event that its effect may be in documents from now on; null where it is not parked any more. */
export async function beginRedrive(documents: Documents, id: string): Promise<BegunRedrive | null> {
  let isResumed = false;
  const parked = await changeDocument<ParkedEvent>(documents, PARKED.name, id, (stored) => {
    if (stored?.body.state !== 'parked') return null;
    isResumed = stored.body.redriving === true;
    // Also where that is noted: whoever has noted it takes it back only where nobody else counts on it.
    return { ...stored.body, redriving: true };
  });
  return parked && { parked, isResumed };
}

/** Takes the note back, before anything was done. */
export async function giveUpRedrive(
  documents: Documents,
  { parked, isResumed }: BegunRedrive,
): Promise<void> {
  if (isResumed) return;
  const { redriving: _begun, ...body } = parked.body;
  await replaceDocument(documents, PARKED.name, parked, body);
}

/** Folds an event into a build that has not parked it, or not yet. What it refuses is for its lane to park. */
export async function foldInOtherBuild(
  parked: ParkedEvent,
  projection: Projection,
  parts: BatchOptions,
): Promise<void> {
  const record = recordOf(parked);
  if (record) await foldBatch(projection, { records: [record] }, foldingParts(projection, parts));
}

/** null where the event is folded, or is one to skip; text where it was not even tried; else why it is refused. */
async function tryAgain(parked: ParkedEvent, projection: Projection, parts: RedriveParts) {
  const record = recordOf(parked);
  if (!record) return 'its bytes were not kept: publish a corrected event instead';
  const { unfoldables } = await foldBatch(projection, { records: [record] }, foldingParts(projection, parts));
  return unfoldables[0]?.rejection ?? null;
}

/** With the schemas of the fold: those of an earlier release are its own. */
function foldingParts({ decode }: Projection, parts: BatchOptions): BatchOptions {
  return decode ? { ...parts, decode } : parts;
}

/**
 * Reads a range of positions again that could not be read when the lane came to them, and folds what stands there: the log may
 * have been repaired, or a newer release may read more. What is refused now is parked by itself.
 * Returns null where all of it was read, else why not: the range then stays as it is.
 */
async function redriveRange(
  range: ParkedEvent & { readonly to: number },
  id: string,
  projection: Projection,
  parts: RedriveParts,
): Promise<string | null> {
  const { documents, log, rejectedTopic, now, isLive = () => true } = parts;
  const { readModel, topic, partition, position: from, to } = range;
  const checkpoint = await readDocument<Checkpoint>(documents, CHECKPOINTS.name, laneName(range));
  const incarnation = checkpoint?.body.incarnation ?? 0;
  const lane = { readModel, topic, partition, incarnation };
  if (id !== parkedId(lane, incarnation, from, to))
    return 'it stood in a log that another one has taken the place of: discard it';
  const ends = (await log.ends(topic)).find((end) => end.partition === partition);
  if (!ends || ends.earliest > from || (ends.readable ?? ends.latest) < to)
    return 'the log does not hold these positions any more: discard it';
  const refused: Unfoldable[] = [];
  for await (const { records, unreadable = [] } of log.read({ topic, partition, from, to })) {
    if (unreadable[0]) return `it still cannot be read: ${unreadable[0].reason}`;
    refused.push(...(await foldBatch(projection, { records }, foldingParts(projection, parts))).unfoldables);
  }
  const announceOn = isLive(readModel) ? rejectedTopic : null;
  if (refused.length > 0) await park({ documents, log }, { lane, now, announceOn }, refused);
  return null;
}

/** Drops the content of a parked event and keeps the decision. */
export async function discard(documents: Documents, parked: Stored<ParkedEvent>): Promise<ParkedOutcome> {
  if (parked.body.state === 'redriven') return { outcome: 'gone' };
  if (parked.body.redriving)
    return {
      outcome: 'still_rejected',
      reason: 'a redrive of it was begun, and may be in the documents: redrive it',
    };
  return (await settleAs('discarded', documents, parked)) ? { outcome: 'discarded' } : { outcome: 'gone' };
}

/** Keeps the place and nothing of the content. False where it has gone meanwhile. */
async function settleAs(state: 'discarded' | 'redriven', documents: Documents, parked: Stored<ParkedEvent>) {
  return await changeDocumentFor<ParkedEvent, boolean>(documents, PARKED.name, parked.id, (stored) => {
    if (stored === null) return { body: null, result: false };
    if (stored.body.state === 'redriven') return { body: null, result: state === 'redriven' };
    const { redriving: _over, ...known } = stored.body;
    // A header has told when it was first appended.
    const timestamp = firstAppendedAt(stored.body);
    return { body: { ...known, state, timestamp, value: null, headers: {} }, result: true };
  });
}
