import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Batch, LogRecord, Position } from '../../events/log/port.ts';
import { recordSize } from '../../events/parse-cloudevent.ts';
import { RetryableError } from '../../platform/errors.ts';
import { decodeBatch, foldDecoded, noRecords, type DecodedRecords } from './decode-and-fold-batch.ts';
import { advanceLane, type GuardedCheckpoint } from './guarded-checkpoint.ts';
import { serialKey } from './lane.ts';
import { requireOwn, writeCheckpoint, type LaneContext } from './lane-context.ts';
import type { Leap } from './revision-leap.ts';
import { lastRecord, readFit } from './log-fit.ts';
import { describeParked, park, type Unfoldable } from './parking.ts';
import type { Projection } from './projection.ts';
import { conflictPauses } from './retry.ts';
import type { Refusals } from './write-documents.ts';

/*
 * A lane reads in passes: it gathers records, folds them, each document once, and checkpoints last.
 *
 *   fetched --nothing stands behind it--> gathered --its turn among lanes that share documents--> folded --> checkpointed
 *   fetched --more stands behind it--> waiting for its build's turn --> gathering, batch after batch --> gathered
 *
 * So a pass of a lane that keeps up is one batch. Of each build one lane at a time has more than that in memory, so what is
 * held stays bounded.
 */

/** What a pass holds in memory, and a kill costs, at most: whatever is reached first. */
const PASS_RECORDS = 60_000;
const PASS_BYTES = 24 * 1024 * 1024;
/** What readers see is gathered for no longer than this, in milliseconds: they wait for it. */
const LIVE_MS = 2000;
/** A slow store takes seconds to write this many, and a lane that has not moved for ten seconds counts as stalled. */
const LIVE_RECORDS = 20_000;
/** Between two fetches: so the log that is read is still the one that was compared with the checkpoint. */
const TRUSTED_MS = 2000;

export interface Pass {
  readonly context: LaneContext;
  readonly projection: Projection;
  readonly held: GuardedCheckpoint;
  /** Fetched from the checkpoint on. */
  readonly first: Batch;
  /** How many records are asked for in one batch. */
  readonly fullBatch: number;
  /** Fails where the log does, without trying again. */
  readonly fetch: (position: Position) => Promise<Batch>;
  readonly refusals: Refusals;
}

interface GatheredRecords {
  readonly decoded: DecodedRecords;
  /** Where the lane goes on. */
  next: Position;
  /** The last of the records; null where there was none. */
  last: LogRecord | null;
  records: number;
  bytes: number;
}

/** Consumes what was fetched, and where more stands behind it, that too. */
export async function takePass(pass: Pass): Promise<void> {
  const { context, first, fullBatch } = pass;
  const { lane, parts, surroundings } = context;
  const { queue } = surroundings;
  const breathe = breathing(context);
  if (!isFollowed(first, fullBatch)) {
    const gathered = await gatherFirst(pass, breathe);
    await queue.run(serialKey(lane), () => write(pass, gathered, breathe));
    return;
  }
  const fetchedAt = parts.clock.monotonic();
  await queue.run(`gathering ${lane.readModel}`, async () => {
    const gathered = await gatherFirst(pass, breathe);
    if (await mayGoOn(pass, fetchedAt)) await gatherMore(pass, gathered, breathe);
    await queue.run(serialKey(lane), () => write(pass, gathered, breathe));
  });
}

/** Whether the log had more behind a batch: by what it says, else by how full the batch is. */
function isFollowed({ more, records }: Batch, fullBatch: number): boolean {
  return more ?? records.length >= fullBatch;
}

/** What readers see goes on as fast as it can; a build leaves them the machine. */
function breathing({ parts, surroundings, lane, signal }: LaneContext): () => Promise<void> {
  const { throttle } = parts;
  if (!throttle || surroundings.gate.isLive(lane.readModel)) return () => nextTurn();
  return () => throttle.rest(signal);
}

async function gatherFirst(pass: Pass, breathe: () => Promise<void>): Promise<GatheredRecords> {
  const gathered: GatheredRecords = {
    decoded: noRecords(),
    next: pass.first.from,
    last: null,
    records: 0,
    bytes: 0,
  };
  await add(pass, gathered, pass.first, breathe);
  return gathered;
}

async function add(
  { context, projection }: Pass,
  gathered: GatheredRecords,
  batch: Batch,
  breathe: () => Promise<void>,
): Promise<void> {
  const { records, next } = batch;
  await decodeBatch(gathered.decoded, batch, projection.decode ?? context.parts.decode, breathe);
  gathered.next = next;
  gathered.last = records.at(-1) ?? gathered.last;
  gathered.records += records.length;
  gathered.bytes += records.reduce((sum, record) => sum + recordSize(record), 0);
}

/**
 * A lane that has waited for its turn compares its log again. Where that does not fit, or cannot be read, the lane takes
 * what it has fetched, and meets the trouble by itself: others wait for this turn.
 */
async function mayGoOn({ context, held }: Pass, fetchedAt: number): Promise<boolean> {
  const { parts, lane, signal } = context;
  if (parts.clock.monotonic() - fetchedAt < TRUSTED_MS) return true;
  const fit = await unlessInTrouble(readFit(lane, held.checkpoint, { ...parts, signal }));
  return fit !== null && fit.halt === null;
}

async function unlessInTrouble<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (thrown) {
    if (thrown instanceof RetryableError) return null;
    throw thrown;
  }
}

/** Until one of the bounds is reached, or there is nothing more to read, or somebody asks for an end. */
async function gatherMore(pass: Pass, gathered: GatheredRecords, breathe: () => Promise<void>) {
  const { context, first, fetch, fullBatch } = pass;
  const { parts, surroundings, lane, signal } = context;
  const { clock, passRecords = PASS_RECORDS } = parts;
  const isLive = surroundings.gate.isLive(lane.readModel);
  const most = isLive ? Math.min(LIVE_RECORDS, passRecords) : passRecords;
  const began = clock.monotonic();
  let batch = first;
  for (;;) {
    const isFull = gathered.records >= most || gathered.bytes >= PASS_BYTES;
    const isOver = isLive && clock.monotonic() - began >= LIVE_MS;
    const isAsked = signal.aborted || surroundings.gate.pauseOf(lane.readModel) !== null;
    if (isFull || isOver || isAsked || !isFollowed(batch, fullBatch)) return;
    const asked = clock.monotonic();
    const more = await unlessInTrouble(fetch(batch.next));
    // What is not consumed here is fetched again, and its log compared first.
    const isTrusted = clock.monotonic() - asked < TRUSTED_MS;
    if (more?.from !== batch.next || more.next === more.from || !isTrusted) return;
    batch = more;
    await add(pass, gathered, batch, breathe);
  }
}

/** Folds what was gathered, parks what cannot be folded, and checkpoints once all of that is durable. */
async function write(
  { context, projection, held, refusals }: Pass,
  { decoded, next, last }: GatheredRecords,
  breathe: () => Promise<void>,
): Promise<void> {
  const { parts, surroundings, lane, name, retry, signal } = context;
  const { metrics, logger } = parts;
  const pause = conflictPauses({ ...parts, signal });
  /** By document: one that is folded again after a conflict leaps once. */
  const leaps = new Map<string, Leap>();
  const onLeap = (document: string, leap: Leap): void => {
    // A build that nobody sees makes the leaps again that were told of when they came.
    if (surroundings.gate.isLive(lane.readModel)) leaps.set(document, leap);
  };
  await requireOwn(context, held);
  const folded = await foldDecoded(projection, decoded, {
    ...parts,
    retry,
    pause,
    refusals,
    breathe,
    onLeap,
  });
  const { counts, unfoldables, conflicts } = folded;
  await parkAll(context, held, unfoldables);
  const record = last && lastRecord(last);
  await writeCheckpoint(context, held, (it) => advanceLane(it, next, counts, record));
  for (const [reason, count] of decoded.skipped) metrics.skipped.inc({ reason }, count);
  if (decoded.unknownFields > 0) metrics.unknownFields.inc(decoded.unknownFields);
  metrics.consumed(lane, counts, conflicts);
  parts.onWritten?.(lane.readModel);
  if (conflicts > 0) logger.warn({ lane: name, conflicts }, 'one revision with two contents');
  const [leap] = leaps;
  if (leap) {
    const [document, { from, to }] = leap;
    logger.warn({ lane: name, leaps: leaps.size, document, from, to }, 'a revision leaps');
  }
}

async function parkAll(
  { parts, surroundings, lane: id, retry }: LaneContext,
  held: GuardedCheckpoint,
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
