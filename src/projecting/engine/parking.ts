import type { Rejection } from '../../events/decode.ts';
import type { Log, LogRecord, NewRecord, Position, UnreadableRange } from '../../events/log/port.ts';
import { identify } from '../../events/envelope.ts';
import { REJECTED_TYPE, type RejectedData, problem } from '../../events/rejection.ts';
import { recordSize } from '../../events/parse-cloudevent.ts';
import { RetryableError } from '../../platform/errors.ts';
import { toInstant } from '../../platform/time/instant.ts';
import { newVersion, type CollectionSpec, type Documents, type Stored } from '../../stores/documents/port.ts';
import { laneName, type LaneId } from './lane.ts';

/**
 * A parked event: a record that could not be folded, kept with its raw bytes until somebody redrives or discards it.
 * It never blocks its lane, and may be redriven at any later time with the same final result: the fold is a join.
 */
export interface ParkedEvent extends LaneId {
  /**
   * `discarded` keeps its place, so that verification knows of the decision, and nothing of the content; so does a range
   * that was `redriven`: it was counted as one.
   */
  readonly state: 'parked' | 'discarded' | 'redriven';
  readonly position: number;
  /** Of a range of positions that could not be read, the position after its last one; absent for a record. */
  readonly to?: number;
  readonly timestamp: number;
  readonly key: string | null;
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Base64; null where nothing is kept: discarded, or too large to be accepted in any form. Of a range, the bytes as the
   * log holds them, or their beginning.
   */
  readonly value: string | null;
  readonly rejection: Rejection;
  /** Unix milliseconds. */
  readonly parkedAt: number;
  /** How often it was redriven in vain. */
  readonly redrives: number;
  /**
   * Upstream has still to be told: it was parked by a build that was not live. Taken away when that is done, or when it
   * is known that upstream was told of it before.
   */
  readonly unannounced?: true;
  /**
   * Somebody redrives it: its effect may be in some builds already, and not in others. Where that command was killed the next
   * one that names it, or the next cut-over, goes on.
   */
  readonly redriving?: true;
}

export const PARKED: CollectionSpec = {
  name: 'parked',
  indexes: [
    ['state', 'parkedAt'],
    ['state', 'readModel', 'topic', 'rejection.code'],
    ['unannounced', 'readModel'],
    ['redriving', 'readModel'],
  ],
};

/**
 * A record up to this size is kept whole, so every one within the contract's limits is. A larger one is kept without its value, its
 * key and headers shortened for people: a shortened record could pass checks that the real one fails, so it is never redriven.
 */
const KEPT_BYTES = 512 * 1024;
const KEPT_CHARACTERS = 4096;

export interface Unfoldable {
  /** Of a range, what is known of it in the form of a record at its first position. */
  readonly record: LogRecord;
  readonly rejection: Rejection;
  /** Of a range, the position after its last one. */
  readonly to?: Position;
}

/** Positions that the log cannot give, as one thing to park: nobody knows how many records it is. */
export function unreadableRecord(range: UnreadableRange): Unfoldable {
  const { topic, partition, from, to, code, timestamp, bytes } = range;
  const which = to - from === 1 ? `position ${from}` : `positions ${from} to ${to - 1}`;
  return {
    record: { topic, partition, position: from, timestamp, key: null, headers: {}, value: bytes },
    rejection: { ...problem(code, `${which}: ${range.reason}`), ...identify(null, null) },
    to,
  };
}

/** What parking needs to know of a lane. */
export type ParkingLane = LaneId & { readonly incarnation: number };

/**
 * `listings@1/catalog.entries/0/17`; of a range up to `to`, `.../17-21`, by its first and last position; `.../17~1` under a
 * log that took the place of another one.
 */
export function parkedId(lane: LaneId, incarnation: number, position: Position, to?: Position): string {
  const place = to === undefined ? position : `${position}-${to - 1}`;
  return `${laneName(lane)}/${place}${incarnation === 0 ? '' : `~${incarnation}`}`;
}

/** Of which log in the place of another one an event was parked, as its id says. */
export function incarnationOf(id: string): number {
  return Number(/~(\d+)$/.exec(id)?.[1] ?? 0);
}

function idOfUnfoldable(lane: ParkingLane, { record: { position }, to }: Unfoldable): string {
  return parkedId(lane, lane.incarnation, position, to);
}

interface ParkOptions {
  readonly lane: ParkingLane;
  /** Unix milliseconds. */
  readonly now: number;
  /** The topic that rejected events are announced on; null where upstream is not to hear of them yet. */
  readonly announceOn: string | null;
}

/**
 * Parks records, and announces each to upstream, keyed by its source. Repeating it changes nothing
 * but may announce again: an announcement goes out before its document is written, so that none is lost. Resolves when
 * no failover can take back that they are parked, by this worker or another one. Returns how many were new.
 * @throws {RetryableError} where what somebody else has parked is not with a majority yet.
 */
export async function park(
  { documents, log }: { readonly documents: Documents; readonly log: Log },
  { lane, now, announceOn }: ParkOptions,
  unfoldables: readonly Unfoldable[],
): Promise<number> {
  const idOf = (unfoldable: Unfoldable): string => idOfUnfoldable(lane, unfoldable);
  const known = await documents.versions(PARKED.name, unfoldables.map(idOf));
  const fresh = unfoldables.filter((unfoldable) => !known.has(idOf(unfoldable)));
  const others = new Set(known.keys());
  if (fresh.length > 0) {
    const writes = fresh.map((unfoldable) => ({
      id: idOf(unfoldable),
      read: null,
      version: newVersion(),
      body: { ...parkedEvent(lane, unfoldable, now), ...(announceOn === null && UNANNOUNCED) },
    }));
    if (announceOn !== null)
      await log.append(writes.map(({ id, body }) => announcement(announceOn, id, body)));
    const outcomes = await documents.write(PARKED.name, writes);
    for (const [index, { id }] of writes.entries()) if (outcomes[index] !== 'done') others.add(id);
  }
  await requireDurable(documents, [...others]);
  return fresh.length;
}

const UNANNOUNCED = { unannounced: true } as const;

/** What this worker has not written itself, no guard has confirmed. */
async function requireDurable(documents: Documents, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const held = await documents.versions(PARKED.name, ids, { durable: true });
  const missing = ids.filter((id) => !held.has(id));
  if (missing.length === 0) return;
  throw new RetryableError(`${missing.length} parked events are not with a majority yet: ${missing[0]}`);
}

function parkedEvent(lane: LaneId, { record, rejection, to }: Unfoldable, now: number): ParkedEvent {
  const isWhole = recordSize(record) <= KEPT_BYTES;
  const { key, headers, value } = isWhole ? record : cut(record);
  return {
    readModel: lane.readModel,
    topic: record.topic,
    partition: record.partition,
    state: 'parked',
    position: record.position,
    ...(to === undefined ? {} : { to }),
    timestamp: record.timestamp,
    key,
    headers,
    value: value && Buffer.from(value).toString('base64'),
    rejection,
    parkedAt: now,
    redrives: 0,
  };
}

/** What is shown of a record that is too large to be kept. */
function cut({ key, headers }: LogRecord): Pick<LogRecord, 'key' | 'headers' | 'value'> {
  const shown = Object.entries(headers)
    .slice(0, 100)
    .map(([name, text]) => [name.slice(0, 256), text.slice(0, KEPT_CHARACTERS)] as const);
  return { key: key?.slice(0, KEPT_CHARACTERS) ?? null, headers: Object.fromEntries(shown), value: null };
}

/** Tells upstream of events that were parked without a word. */
export async function announceParked(
  log: Pick<Log, 'append'>,
  topic: string,
  parked: readonly Pick<Stored<ParkedEvent>, 'id' | 'body'>[],
): Promise<void> {
  if (parked.length > 0) await log.append(parked.map(({ id, body }) => announcement(topic, id, body)));
}

function announcement(announceOn: string, id: string, parked: ParkedEvent): NewRecord {
  const { rejection, readModel, topic, partition, position, to, parkedAt } = parked;
  const source = rejection.source ?? 'unknown';
  const event = {
    specversion: '1.0',
    id,
    source: '/catalog-read-api',
    type: `${REJECTED_TYPE}.v1`,
    subject: source,
    time: toInstant(parkedAt),
    datacontenttype: 'application/json',
    data: {
      ...rejection,
      read_model: readModel,
      topic,
      partition,
      position,
      ...(to === undefined ? {} : { to }),
    } satisfies RejectedData,
  };
  return {
    topic: announceOn,
    key: source,
    value: Buffer.from(JSON.stringify(event)),
    headers: { 'content-type': 'application/cloudevents+json' },
  };
}

/** The event's name and what is wrong with it, for a line of the log; its content stays in the parked document. */
export function describeParked(lane: ParkingLane, unfoldable: Unfoldable): object {
  const { record, rejection, to } = unfoldable;
  const { topic, partition, position } = record;
  const { id: eventId, source, type, subject, code, reason } = rejection;
  const parked = idOfUnfoldable(lane, unfoldable);
  const place = { parked, topic, partition, position, ...(to === undefined ? {} : { to }) };
  return { ...place, eventId, source, type, subject, code, reason };
}

/** The log record that a parked event was made of; null where its bytes were not kept, and for a range. */
export function recordOf(parked: ParkedEvent): LogRecord | null {
  if (parked.value === null || parked.to !== undefined) return null;
  const { topic, partition, position, timestamp, key, headers, value } = parked;
  return { topic, partition, position, timestamp, key, headers, value: Buffer.from(value, 'base64') };
}
