import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Batch, Position } from '../../events/log/port.ts';
import { parkAll } from './batch.ts';
import { consumed, type HeldCheckpoint } from './checkpoint.ts';
import { gather, gatherNothing, type Gathered } from './gathering.ts';
import { joinDocuments } from './join-documents.ts';
import { serialKey } from './lane.ts';
import { writeCheckpoint, type LaneContext } from './lane-context.ts';
import { lastRecord } from './log-fit.ts';
import type { Projection } from './projection.ts';
import { createPace } from './pacing.ts';
import { conflictPause, Stopped } from './retry.ts';
import type { Refusals } from './write-documents.ts';

/** How much a lane gathers before it writes: whatever is reached first. */
interface Bounds {
  readonly records: number;
  readonly documents: number;
  readonly ms: number;
}

/** Of what readers see: they wait for it, and for the other lanes of the worker. */
const LIVE: Bounds = { records: 10_000, documents: 10_000, ms: 2000 };
/** Of a build that nobody sees yet. It is what a kill costs at most, and what is held in memory. */
const BUILDING: Bounds = { records: 500_000, documents: 50_000, ms: 30_000 };
/** Between two fetches: so the log that is read is still the one that was compared with the checkpoint. */
const TRUSTED_MS = 2000;
/** After so many records other lanes, health checks and leases of this thread have their turn. */
const TURN = 500;

export interface CatchingUp {
  readonly context: LaneContext;
  readonly projection: Projection;
  readonly held: HeldCheckpoint;
  /** Fetched from the checkpoint on. */
  readonly first: Batch;
  /** A batch that is smaller is the last one: there is nothing more to gather. */
  readonly fullBatch: number;
  readonly fetch: (position: Position) => Promise<Batch>;
  readonly refusals: Refusals;
}

/**
 * Consumes what a lane that is behind has to read, many batches at a time: each document is written once for all of them.
 * Checkpoints last, like every batch. A build gathers one lane at a time, so that what it holds in memory stays bounded.
 * @throws {Unwritable} where some event makes a document that cannot be written: take the batches one by one.
 */
export async function catchUp(work: CatchingUp): Promise<void> {
  const { surroundings, lane } = work.context;
  const { gate, queue } = surroundings;
  if (gate.isLive(lane.readModel)) return await gatherAndWrite(work, LIVE);
  await queue.run(`gathering ${lane.readModel}`, () => gatherAndWrite(work, BUILDING));
}

async function gatherAndWrite(work: CatchingUp, bounds: Bounds): Promise<void> {
  const { context, projection, held, refusals } = work;
  const { parts, surroundings, lane, name, retry, signal } = context;
  const { clock, metrics, logger, random = Math.random } = parts;
  const pause = async (attempt: number): Promise<void> => {
    if (signal.aborted) throw new Stopped('stopped between two attempts');
    await clock.sleep(conflictPause(attempt, random), signal);
  };
  const breathe = breathing(work.context);
  const gathered = await gatherAll(work, bounds, breathe);
  const { added, counts, unfoldables, conflicts, next, last } = gathered;
  await surroundings.queue.run(serialKey(lane), async () => {
    await joinDocuments(projection, added, { ...parts, retry, pause, refusals, breathe });
    await parkAll(context, held, unfoldables);
    const record = last && lastRecord(last);
    await writeCheckpoint(context, held, (it) => consumed(it, next, counts, record));
  });
  metrics.consumed(lane, counts, conflicts);
  if (conflicts > 0) logger.warn({ lane: name, conflicts }, 'one revision with two contents');
}

async function gatherAll(work: CatchingUp, bounds: Bounds, rest: () => Promise<void>): Promise<Gathered> {
  const { context, projection, fetch, first, fullBatch } = work;
  const { parts, surroundings, lane, signal } = context;
  const { clock, metrics } = parts;
  const began = clock.monotonic();
  const gathered = gatherNothing(first.from);
  const breathe = (index: number): Promise<void> | undefined =>
    index % TURN === TURN - 1 ? rest() : undefined;
  const how = { projection, decode: projection.decode ?? parts.decode, metrics, breathe };
  let records = 0;
  for (let batch = first; ;) {
    await gather(gathered, batch, how);
    records += batch.records.length;
    const isFull = records >= bounds.records || gathered.added.size >= bounds.documents;
    const isOver = isFull || clock.monotonic() - began >= bounds.ms;
    const isLast = batch.records.length < fullBatch;
    const isAsked = signal.aborted || surroundings.gate.pauseOf(lane.readModel) !== null;
    if (isOver || isLast || isAsked) return gathered;
    const asked = clock.monotonic();
    batch = await fetch(gathered.next);
    const isTrusted = clock.monotonic() - asked < TRUSTED_MS;
    // What is not consumed here is fetched again, and its log compared first.
    if (batch.from !== gathered.next || batch.next === batch.from || !isTrusted) return gathered;
  }
}

/** What readers see goes on as fast as it can; a build leaves them the machine. */
function breathing({ parts, surroundings, lane, signal }: LaneContext): () => Promise<void> {
  const { clock, utilization = () => 0 } = parts;
  if (surroundings.gate.isLive(lane.readModel)) return () => nextTurn();
  const pace = createPace(clock, utilization, signal);
  return () => pace.rest();
}
