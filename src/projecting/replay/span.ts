import type { LogRecord, Position } from '../../events/log/port.ts';
import { firstAppendedAt } from '../../events/original-time.ts';
import { UsageError } from '../../platform/errors.ts';
import { toInstant } from '../../platform/instant.ts';
import type { HeldPartition, History } from './history.ts';

/**
 * The part of history that a replay folds. A bound is a time of the log, or a record of it, which stands for the moment when
 * it was appended: positions decide in its own partition, and the log's time in every other one. What a bound names is
 * within the span. A record that was restored has the time of its first append.
 */
export type Bound =
  /** Unix milliseconds. */
  { readonly kind: 'time'; readonly timestamp: number } | ({ readonly kind: 'record' } & Place);

/** The topic as the log names it. */
type Place = Pick<LogRecord, 'topic' | 'partition' | 'position'>;
type Moment = Place & Pick<LogRecord, 'timestamp' | 'headers'>;

export interface Span {
  /** The bounds as people are told of them; null where it is open. */
  readonly from: string | null;
  readonly until: string | null;
  includes(record: Moment): boolean;
  /** What of a partition may lie between the bounds: nothing outside of these positions does. */
  rangeOf(partition: HeldPartition): Range;
}

/** [from, to) */
interface Range {
  readonly from: Position;
  readonly to: Position;
}

interface SpanOptions {
  readonly from: Bound | null;
  readonly until: Bound | null;
  readonly signal: AbortSignal;
}

/** @throws {UsageError} where a bound lies outside of what the history holds: it names the range. */
export async function spanOf(history: History, { from, until, signal }: SpanOptions): Promise<Span> {
  const first = from && (await edgeOf('--from', from, history, signal));
  const last = until && (await edgeOf('--until', until, history, signal));
  const names = { from: from && showBound(from), until: until && showBound(until) };
  if (first && last && isAfter(first, last))
    throw new UsageError(`--from ${names.from} is later than --until ${names.until}: nothing lies between.`);
  const ranges = new Map<HeldPartition, Range>();
  for (const held of history.partitions) ranges.set(held, await rangeIn(history, held, first, last));
  return {
    ...names,
    rangeOf: (held) => ranges.get(held) ?? { from: held.earliest, to: held.end },
    includes: (record) => (!first || order(record, first) >= 0) && (!last || order(record, last) <= 0),
  };
}

/**
 * In the partition of a record that is a bound its position decides; in others the time, which need not rise with the
 * positions: where a log cannot tell, all of it may lie within.
 */
async function rangeIn(
  history: History,
  held: HeldPartition,
  first: Edge | null,
  last: Edge | null,
): Promise<Range> {
  const { earliest, end } = held;
  const from = first && isIn(held, first) ? (first.position ?? earliest) : earliest;
  if (!last) return { from, to: end };
  if (isIn(held, last) && last.position !== undefined) return { from, to: last.position + 1 };
  const to = (await history.endOfTime?.(held, last.timestamp)) ?? end;
  return { from, to: Math.max(from, to) };
}

function isIn({ topic, partition }: Pick<Place, 'topic' | 'partition'>, edge: Edge): boolean {
  return topic === edge.topic && partition === edge.partition;
}

/** `catalog.entries/0:123`, or an instant. */
function showBound(bound: Bound): string {
  if (bound.kind === 'time') return instant(bound.timestamp);
  return `${bound.topic}/${bound.partition}:${bound.position}`;
}

/** A moment whose place is known where it is that of a record. */
type Edge = Pick<LogRecord, 'timestamp'> & Partial<Place>;

/** Negative where the record lies before the edge, positive behind it. */
function order(record: Moment, edge: Edge): number {
  if (isIn(record, edge) && edge.position !== undefined) return record.position - edge.position;
  return firstAppendedAt(record) - edge.timestamp;
}

function isAfter(a: Edge, b: Edge): boolean {
  const { topic, partition, position, timestamp } = a;
  if (topic === undefined || partition === undefined || position === undefined)
    return timestamp > b.timestamp;
  return order({ topic, partition, position, timestamp, headers: {} }, b) > 0;
}

async function edgeOf(option: string, bound: Bound, history: History, signal: AbortSignal): Promise<Edge> {
  if (bound.kind === 'record') return await recordAt(option, bound, history, signal);
  const first = await firstTime(history, signal);
  if (bound.timestamp < first || bound.timestamp > history.endsAt)
    throw new UsageError(
      `${option} ${instant(bound.timestamp)} is out of range: the records are from ${instant(first)} to ${instant(history.endsAt)}.`,
    );
  return bound;
}

/** The time of the oldest record, Unix milliseconds; Infinity where there is none. */
async function firstTime(history: History, signal: AbortSignal): Promise<number> {
  let first = Infinity;
  for (const held of history.partitions) {
    const record = await firstRecord(history, held, held.earliest, signal);
    if (record) first = Math.min(first, firstAppendedAt(record));
  }
  return first;
}

async function firstRecord(
  history: History,
  held: HeldPartition,
  from: number,
  signal: AbortSignal,
): Promise<LogRecord | null> {
  for await (const { records } of history.read(held, from, signal)) {
    const record = records.find(({ position }) => position >= from);
    if (record) return record;
  }
  return null;
}

async function recordAt(option: string, bound: Place, history: History, signal: AbortSignal): Promise<Edge> {
  const name = `${bound.topic}/${bound.partition}`;
  const held = history.partitions.find((one) => `${one.topic}/${one.partition}` === name);
  if (!held) {
    const topics = Map.groupBy(history.partitions, ({ topic }) => topic);
    const known = [...topics].map(([topic, list]) => `${topic}/0 to ${topic}/${list.length - 1}`);
    throw new UsageError(`${option}: there is no partition ${name}. There are ${known.join(', ')}.`);
  }
  const { earliest, end } = held;
  const range = end === earliest ? 'nothing' : `the positions ${earliest} to ${end - 1}`;
  if (bound.position < earliest || bound.position >= end)
    throw new UsageError(`${option} ${name}:${bound.position} is out of range: ${name} holds ${range}.`);
  const record = await firstRecord(history, held, bound.position, signal);
  if (record?.position === bound.position) return { ...record, timestamp: firstAppendedAt(record) };
  const next = record ? `; the next record is ${name}:${record.position}` : '';
  throw new UsageError(`${option}: ${name} holds no record at position ${bound.position}${next}.`);
}

function instant(ms: number): string {
  return toInstant(ms) ?? `${ms} ms`;
}
