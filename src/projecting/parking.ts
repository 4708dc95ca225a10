import type { Rejection } from '../events/decode.ts';
import type { Log, LogRecord, NewRecord } from '../events/log/port.ts';
import { REJECTED_TYPE, type RejectedData } from '../events/rejected.ts';
import { RetryableError } from '../platform/errors.ts';
import { toInstant } from '../platform/instant.ts';
import { newVersion, type CollectionSpec, type Documents } from '../stores/documents/port.ts';
import { laneName, type LaneId } from './lane.ts';

/**
 * A parked event: a record that could not be folded, kept with its raw bytes until somebody redrives or discards it.
 * It never blocks its lane, and may be redriven at any later time with the same final result: the fold is a join.
 */
export interface ParkedEvent extends LaneId {
  /** `discarded` keeps its place, so that verification knows of the decision, and nothing of the content. */
  readonly state: 'parked' | 'discarded';
  readonly position: number;
  readonly timestamp: number;
  readonly key: string | null;
  readonly headers: Readonly<Record<string, string>>;
  /** Base64; null where nothing is kept: discarded, or too large to be accepted in any form. */
  readonly value: string | null;
  readonly rejection: Rejection;
  /** Unix milliseconds. */
  readonly parkedAt: number;
  /** How often it was redriven in vain. */
  readonly redrives: number;
}

export const PARKED: CollectionSpec = {
  name: 'parked',
  indexes: [
    ['state', 'parkedAt'],
    ['state', 'readModel', 'topic', 'rejection.code'],
  ],
};

/** The bytes that a parked event keeps at most: every record within the contract's limits fits. */
const KEPT_BYTES = 512 * 1024;
const KEPT_CHARACTERS = 4096;

export interface Unfoldable {
  readonly record: LogRecord;
  readonly rejection: Rejection;
}

/** What parking needs to know of a lane. */
export type ParkingLane = LaneId & { readonly incarnation: number };

/** `listings@1/catalog.entries/0/17`; `.../17~1` under a log that took the place of another one. */
export function parkedId(lane: LaneId, incarnation: number, position: number): string {
  return `${laneName(lane)}/${position}${incarnation === 0 ? '' : `~${incarnation}`}`;
}

/**
 * Parks records, and announces each to upstream on `rejectedTopic`, keyed by its source. Repeating it changes nothing
 * but may announce again: an announcement goes out before its document is written, so that none is lost. Resolves when
 * no failover can take back that they are parked, whoever has parked them. Returns how many were new.
 * @throws {RetryableError} where what somebody else has parked is not with a majority yet.
 */
export async function park(
  { documents, log }: { readonly documents: Documents; readonly log: Log },
  rejectedTopic: string,
  lane: ParkingLane,
  unfoldables: readonly Unfoldable[],
  now: number,
): Promise<number> {
  const idOf = ({ record }: Unfoldable): string => parkedId(lane, lane.incarnation, record.position);
  const known = await documents.versions(PARKED.name, unfoldables.map(idOf));
  const fresh = unfoldables.filter((unfoldable) => !known.has(idOf(unfoldable)));
  const others = new Set(known.keys());
  if (fresh.length > 0) {
    await log.append(
      fresh.map((unfoldable) => announcement(rejectedTopic, lane, idOf(unfoldable), unfoldable, now)),
    );
    const writes = fresh.map((unfoldable) => ({
      id: idOf(unfoldable),
      read: null,
      version: newVersion(),
      body: parkedEvent(lane, unfoldable, now),
    }));
    const outcomes = await documents.write(PARKED.name, writes);
    for (const [index, { id }] of writes.entries()) if (outcomes[index] !== 'done') others.add(id);
  }
  await requireDurable(documents, [...others]);
  return fresh.length;
}

/** What this worker has not written itself, no guard has confirmed. */
async function requireDurable(documents: Documents, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const held = await documents.versions(PARKED.name, ids, { durable: true });
  const missing = ids.filter((id) => !held.has(id));
  if (missing.length === 0) return;
  throw new RetryableError(`${missing.length} parked events are not with a majority yet: ${missing[0]}`);
}

function parkedEvent(lane: LaneId, { record, rejection }: Unfoldable, now: number): ParkedEvent {
  const headers = Object.entries(record.headers).map(
    ([name, value]) => [name.slice(0, 256), value.slice(0, KEPT_CHARACTERS)] as const,
  );
  return {
    readModel: lane.readModel,
    topic: record.topic,
    partition: record.partition,
    state: 'parked',
    position: record.position,
    timestamp: record.timestamp,
    key: record.key?.slice(0, KEPT_CHARACTERS) ?? null,
    headers: Object.fromEntries(headers.slice(0, 100)),
    value:
      record.value === null || record.value.length > KEPT_BYTES
        ? null
        : Buffer.from(record.value).toString('base64'),
    rejection,
    parkedAt: now,
    redrives: 0,
  };
}

function announcement(
  topic: string,
  lane: LaneId,
  id: string,
  { record, rejection }: Unfoldable,
  now: number,
): NewRecord {
  const source = rejection.source ?? 'unknown';
  const event = {
    specversion: '1.0',
    id,
    source: '/catalog-read-api',
    type: `${REJECTED_TYPE}.v1`,
    subject: source,
    time: toInstant(now),
    datacontenttype: 'application/json',
    data: {
      ...rejection,
      read_model: lane.readModel,
      topic: record.topic,
      partition: record.partition,
      position: record.position,
    } satisfies RejectedData,
  };
  return {
    topic,
    key: source,
    value: Buffer.from(JSON.stringify(event)),
    headers: { 'content-type': 'application/cloudevents+json' },
  };
}

/** Who it is and what is wrong with it, for a line of the log; its content stays in the parked document. */
export function describeParked(lane: ParkingLane, { record, rejection }: Unfoldable): object {
  const { topic, partition, position } = record;
  const { id: eventId, source, type, subject, code, reason } = rejection;
  const parked = parkedId(lane, lane.incarnation, position);
  return { parked, topic, partition, position, eventId, source, type, subject, code, reason };
}

/** The log record that a parked event was made of; null where its bytes were not kept. */
export function recordOf(parked: ParkedEvent): LogRecord | null {
  if (parked.value === null) return null;
  const { topic, partition, position, timestamp, key, headers, value } = parked;
  return { topic, partition, position, timestamp, key, headers, value: Buffer.from(value, 'base64') };
}
