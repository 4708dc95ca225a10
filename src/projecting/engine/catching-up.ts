import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Batch, Position } from '../../events/log/port.ts';
import { RetryableError } from '../../platform/errors.ts';
import { limitHeapGrowth } from '../../platform/heap-growth.ts';
import { parkAll } from './batch.ts';
import { consumed, type HeldCheckpoint } from './checkpoint.ts';
import { gatherHere, type Gathering } from './gatherer.ts';
import { countIgnored, type Gathered } from './gathering.ts';
import { joinDocuments } from './join-documents.ts';
import { requireOwn, writeCheckpoint, type LaneContext } from './lane-context.ts';
import { lastRecord, readFit } from './log-fit.ts';
import type { Projection } from './projection.ts';
import { conflictPause, Stopped } from './retry.ts';
import type { Refusals } from './write-documents.ts';

/** How much a lane gathers before it writes: whatever is reached first. */
interface Bounds {
  readonly records: number;
  readonly documents: number;
  readonly ms: number;
  /** How many passes are written at a time, while another one is gathered. */
  readonly writers: number;
}

/** Of what readers see: they wait for it, and for the other lanes of the worker. */
const LIVE: Bounds = { records: 50_000, documents: 10_000, ms: 2000, writers: 2 };
/**
 * Of a build that nobody sees yet. It is what a kill costs at most, and what is held in memory. Rests are not counted: a pass
 * that they cut short would write each document many times.
 */
const BUILDING: Bounds = { records: 500_000, documents: 25_000, ms: 30_000, writers: 1 };
/** Between two fetches: so the log that is read is still the one that was compared with the checkpoint. */
const TRUSTED_MS = 2000;

export interface CatchingUp {
  readonly context: LaneContext;
  readonly projection: Projection;
  readonly held: HeldCheckpoint;
  /** Fetched from the checkpoint on. */
  readonly first: Batch;
  /** How many records are asked for in one batch. */
  readonly fullBatch: number;
  /** Fails where the log does, without trying again. */
  readonly fetch: (position: Position) => Promise<Batch>;
  readonly refusals: Refusals;
}

/** Whether the log had more behind a batch: by what it says, else by how full the batch is. */
export function isFollowed({ more, records }: Batch, fullBatch: number): boolean {
  return more ?? records.length >= fullBatch;
}

/**
 * Consumes what a lane that is behind has to read, many batches at a time, in a pass with other lanes that share its
 * documents: each is written once for all of them. Checkpoints last, like every batch.
 * @throws {Unwritable} where some event makes a document that cannot be written: take the batches one by one.
 */
export async function catchUp(work: CatchingUp): Promise<void> {
  const { context, projection, held, refusals } = work;
  const { parts, surroundings, lane, name, retry, signal } = context;
  const { clock, metrics, logger, random = Math.random } = parts;
  const isLive = surroundings.gate.isLive(lane.readModel);
  const bounds = isLive ? LIVE : BUILDING;
  // A pass of a build leaves much behind; what readers see is not to wait for more collections.
  using _limit = isLive ? null : limitHeapGrowth();
  const breathe = breathing(context);
  const fetchedAt = clock.monotonic();
  const pause = async (attempt: number): Promise<void> => {
    if (signal.aborted) throw new Stopped('stopped between two attempts');
    await clock.sleep(conflictPause(attempt, random), signal);
  };
  await surroundings.passes.take(lane, {
    registers: projection.registers,
    writers: bounds.writers,
    gather: async () => await gatherAll(work, await boundsNow(work, bounds, fetchedAt), breathe),
    requireOwn: () => requireOwn(context, held),
    join: (added) => joinDocuments(projection, added, { ...parts, retry, pause, refusals, breathe }),
    finish: async (gathered) => {
      const { counts, unfoldables, conflicts, next, last } = gathered;
      await parkAll(context, held, unfoldables);
      const record = last && lastRecord(last);
      await writeCheckpoint(context, held, (it) => consumed(it, next, counts, record));
      countIgnored(gathered, metrics);
      metrics.consumed(lane, counts, conflicts);
      parts.onWritten?.(lane.readModel);
      if (conflicts > 0) logger.warn({ lane: name, conflicts }, 'one revision with two contents');
    },
  });
}

/**
 * A lane that has waited for its turn compares its log again. Where that does not fit, or cannot be read, the lane takes
 * what it has fetched, and meets the trouble by itself: others wait for this turn.
 */
async function boundsNow({ context, held }: CatchingUp, bounds: Bounds, fetchedAt: number): Promise<Bounds> {
  const { parts, lane, signal } = context;
  if (parts.clock.monotonic() - fetchedAt < TRUSTED_MS) return bounds;
  const fit = await unlessInTrouble(readFit(lane, held.checkpoint, { ...parts, signal }));
  return fit === null || fit.halt ? { ...bounds, records: 0 } : bounds;
}

async function unlessInTrouble<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (thrown) {
    if (thrown instanceof RetryableError) return null;
    throw thrown;
  }
}

async function gatherAll(work: CatchingUp, bounds: Bounds, rest: () => Promise<void>): Promise<Gathered> {
  const { context, projection, first } = work;
  const { parts } = context;
  const decode = projection.decode ?? parts.decode;
  const gathering =
    parts.gatherer?.begin(projection, first.from) ?? gatherHere({ projection, decode }, first.from);
  try {
    await gatherInto(gathering, work, bounds, rest);
    return await gathering.finish();
  } catch (thrown) {
    gathering.discard();
    throw thrown;
  }
}

/** Until one of the bounds is reached, or there is nothing more to read, or somebody asks for an end. */
async function gatherInto(
  gathering: Gathering,
  { context, fetch, first, fullBatch }: CatchingUp,
  bounds: Bounds,
  rest: () => Promise<void>,
): Promise<void> {
  const { parts, surroundings, lane, signal } = context;
  const { clock } = parts;
  const workedMs = (): number => clock.monotonic() - (parts.pace?.restedMs() ?? 0);
  const began = workedMs();
  let records = 0;
  for (let batch = first; ;) {
    await gathering.add(batch, rest);
    records += batch.records.length;
    const isFull = records >= bounds.records || gathering.documents >= bounds.documents;
    const isOver = isFull || workedMs() - began >= bounds.ms;
    const isLast = !isFollowed(batch, fullBatch);
    const isAsked = signal.aborted || surroundings.gate.pauseOf(lane.readModel) !== null;
    if (isOver || isLast || isAsked) return;
    const asked = clock.monotonic();
    const more = await unlessInTrouble(fetch(batch.next));
    // What is not consumed here is fetched again, and its log compared first.
    const isTrusted = clock.monotonic() - asked < TRUSTED_MS;
    if (more?.from !== batch.next || more.next === more.from || !isTrusted) return;
    batch = more;
  }
}

/** What readers see goes on as fast as it can; a build leaves them the machine. */
function breathing({ parts, surroundings, lane, signal }: LaneContext): () => Promise<void> {
  const { pace } = parts;
  if (!pace || surroundings.gate.isLive(lane.readModel)) return () => nextTurn();
  return () => pace.rest(signal);
}
