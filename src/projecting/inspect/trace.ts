import { commandLine } from '../../platform/text/command-hint.ts';
import { toInstant } from '../../platform/time/instant.ts';
import type { Decode } from '../../events/decode.ts';
import { splitType } from '../../events/envelope.ts';
import type { CatalogEvent } from '../../events/event.ts';
import type { LogRecord } from '../../events/log/port.ts';
import { readHeaders } from '../../events/parse-cloudevent.ts';
import type { Documents, Stored } from '../../stores/documents/port.ts';
import type { FoldParts } from './log-fold.ts';
import { readDocument } from '../../stores/documents/change-document.ts';
import type { Mark } from '../../stores/outbox.ts';
import { CHECKPOINTS, laneName, type Checkpoint, type LaneId } from '../engine/lane.ts';
import { PARKED, parkedId, type ParkedEvent } from '../engine/parking.ts';
import { collectionOf, type Projection, type ReadModelDocument } from '../engine/projection.ts';
import { StoppedError } from '../engine/retry.ts';
import { outsideOf } from '../engine/retention-sweep.ts';
import { historyOf, lengthOf } from '../replay/history.ts';
import { firstAppendedAt } from '../../events/original-time.ts';
import { evidenceOf, tieOf, unitOf, type Evidence } from './event-effect-on-document.ts';

/**
 * What became of the events about one subject: the answer to "did mine arrive?", for as long as the log keeps them. The
 * subject should be the key of their records; but an event without a key is served as well, from whichever partition it
 * is in, and one with a wrong key is parked. So every partition is read, and the subject looked for in the events.
 */

interface Fate {
  readonly outcome:
    /** Not consumed yet. */
    | 'waiting'
    | Evidence['outcome']
    /** Nobody reads it: a tombstone, an unknown type, or one that no read model is made of. */
    | 'ignored'
    /** It could not be folded, and waits for a decision. */
    | 'parked'
    /** It could not be folded, and was given up. */
    | 'discarded';
  /** Why it is parked, discarded, missing, or superseded by an event that is no newer; null of any other. */
  readonly reason: string | null;
  /** The revision, or the instant, that stands in its place. */
  readonly superseded_by: number | string | null;
  readonly parked_id: string | null;
}

/** One event, in the names in which scripts get it. */
interface TracedEvent extends Fate {
  readonly id: string | null;
  readonly source: string | null;
  /** Without its version. */
  readonly type: string | null;
  /** Of its record. */
  readonly key: string | null;
  readonly recorded_at: string | null;
  readonly topic: string;
  readonly partition: number;
  readonly position: number;
  readonly read_model: string;
  /** The document that it belongs to; null where it belongs to none. */
  readonly document: string | null;
}

export interface Trace {
  readonly subject: string;
  /** The newest ones, partition by partition. */
  readonly events: readonly TracedEvent[];
  /** Older ones that were left out. */
  readonly older: number;
  /** Records without a key whose subject could not be read: they may be about this one, or any other. */
  readonly unreadable: number;
  /** What waits in the outbox of their documents, by `listings@1/ai-news`; absent where the search index is up to date. */
  readonly search: readonly { readonly document: string; readonly state: string }[];
}

interface TraceParts extends Omit<FoldParts, 'projections' | 'rest'> {
  readonly projections: readonly Projection[];
  /** The newest events that are told, of each partition. */
  readonly limit: number;
}

/**
 * Reads all of the projected topics once, and shows how far that is.
 * @throws {StoppedError} where the signal was aborted.
 */
export async function traceSubject(subject: string, parts: TraceParts): Promise<Trace> {
  const { log, projections, topicName, signal, onProgress } = parts;
  const events: TracedEvent[] = [];
  const marks = new Map<string, Mark>();
  const isCandidate = candidates(subject);
  const topics = [...new Set(projections.flatMap((projection) => projection.topics))].map(topicName);
  const history = await historyOf(log, topics);
  const total = lengthOf(history);
  let [read, older, unreadable] = [0, 0, 0];
  for (const held of history.partitions) {
    const builds = projections.filter((one) => one.topics.some((name) => topicName(name) === held.topic));
    // A kept fold reads events by rules of its own.
    const decoders = [...new Set(builds.map(({ decode = parts.decode }) => decode))];
    const newest: LogRecord[] = [];
    for await (const batch of history.read(held, signal)) {
      for (const record of batch.records) {
        if (!isCandidate(record)) continue;
        const subjects = decoders.map((decode) => toldBy(record, decode).subject);
        if (record.key === subject || subjects.includes(subject)) newest.push(record);
        else if (record.value !== null && subjects.every((one) => one === null)) unreadable += 1;
      }
      older += newest.splice(0, Math.max(0, newest.length - parts.limit)).length;
      read += batch.next - batch.from;
      onProgress?.(read, total);
    }
    for (const projection of builds) events.push(...(await judge(projection, newest, marks, parts)));
  }
  if (signal.aborted) throw new StoppedError('stopped while the log was read');
  const search = [...marks].map(([document, mark]) => ({ document, state: searchState(mark) }));
  return { subject, events, older, unreadable, search };
}

/**
 * Whether a record may be about the subject, without decoding it: by its key; by the subject's bytes, or an escape that
 * could stand for them, in its value; or by its headers. A record without a key is always looked at: those are few.
 */
function candidates(subject: string): (record: LogRecord) => boolean {
  const bytes = Buffer.from(subject);
  // Of plain characters, which subjects are made of. A producer that writes Cyrillic so escapes nothing of a subject.
  const escape = /^[ -~]*$/.test(subject) ? '\\u00' : '\\u';
  return ({ key, value, headers }) => {
    if (key === null || key === subject) return true;
    if (value === null) return false;
    const text = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    return (
      text.includes(bytes) ||
      text.includes(escape) ||
      readHeaders(headers).values.get('ce_subject') === subject
    );
  };
}

/** What a record says of itself. One that cannot be read is about its key. */
function toldBy(record: LogRecord, decode: Decode) {
  const decoded = decode(record);
  if (decoded.outcome === 'event') {
    const { event } = decoded;
    const { subject, id, source, type } = event;
    return { subject, id, source, type, event };
  }
  const unknown = { subject: null, id: null, source: null };
  const told = decoded.outcome === 'rejected' ? decoded.rejection : { ...unknown, type: decoded.type };
  const { subject, id, source, type } = told;
  return { subject: subject ?? record.key, id, source, type: nameOf(type), event: null };
}

function nameOf(type: string | null): string | null {
  return type && splitType(type).name;
}

/** Of the records of one lane. */
async function judge(
  projection: Projection,
  records: readonly LogRecord[],
  marks: Map<string, Mark>,
  { documents, decode }: TraceParts,
): Promise<readonly TracedEvent[]> {
  const own = projection.decode ?? decode;
  const [first] = records;
  if (!first) return [];
  const collection = collectionOf(projection);
  const lane: LaneId = { readModel: collection, topic: first.topic, partition: first.partition };
  // The checkpoint before what it stands for: an event that arrives between the two counts as waiting.
  const checkpoint = await readDocument<Checkpoint>(documents, CHECKPOINTS.name, laneName(lane));
  const parkedIdOf = ({ position }: LogRecord): string =>
    parkedId(lane, checkpoint?.body.incarnation ?? 0, position);
  const parked = await documents.get<ParkedEvent>(PARKED.name, records.map(parkedIdOf));
  const told = records.map((record) => {
    const known = toldBy(record, own);
    return { ...known, record, document: known.event && projection.documentId(known.event) };
  });
  const ids = [...new Set(told.flatMap(({ document }) => document ?? []))];
  const stored = await documents.get<ReadModelDocument>(collection, ids);
  for (const { id, body } of stored.values()) if (body.dirty) marks.set(`${collection}/${id}`, body.dirty);
  const outside = await outsideAmong(projection, ids, stored, documents);
  return told.map(({ record, id, source, type, event, document }): TracedEvent => {
    const { key, topic, partition, position } = record;
    const fate = (): Fate => {
      const known = parked.get(parkedIdOf(record));
      if (known) return parkedFate(known);
      if (position >= (checkpoint?.body.position ?? 0)) return { ...NOTHING_ELSE, outcome: 'waiting' };
      if (document === null || event === null) return { ...NOTHING_ELSE, outcome: 'ignored' };
      if (outside.has(document)) return { ...NOTHING_ELSE, outcome: 'superseded' };
      const registers = stored.get(document)?.body.registers ?? null;
      return evidentFate(evidenceOf(projection, registers, event), event);
    };
    const place = { key, recorded_at: toInstant(firstAppendedAt(record)), topic, partition, position };
    return { ...fate(), id, source, type, ...place, read_model: collection, document };
  });
}

/** Documents that are not there because they lie outside the windows of the read model. */
async function outsideAmong(
  projection: Projection,
  ids: readonly string[],
  stored: ReadonlyMap<string, unknown>,
  documents: Documents,
): Promise<ReadonlySet<string>> {
  const absent = ids.filter((id) => !stored.has(id));
  if (absent.length === 0 || !projection.outside) return new Set();
  const held = (await Array.fromAsync(documents.scan(collectionOf(projection), { keys: [] }))).flat();
  return new Set(outsideOf(projection, [...absent, ...held.map(({ id }) => id)]));
}

const NOTHING_ELSE = { reason: null, superseded_by: null, parked_id: null } as const;

function parkedFate({ id, body: { state, rejection } }: Stored<ParkedEvent>): Fate {
  const { reason } = rejection;
  return state === 'discarded'
    ? { ...NOTHING_ELSE, outcome: 'discarded', reason }
    : { ...NOTHING_ELSE, outcome: 'parked', reason, parked_id: id };
}

function evidentFate(evidence: Evidence, event: CatalogEvent): Fate {
  const { outcome } = evidence;
  if (outcome === 'in_force') return { ...NOTHING_ELSE, outcome };
  if (outcome === 'missing') return { ...NOTHING_ELSE, outcome, reason: MISSING };
  const { by, winner } = evidence;
  const reason = by !== null && winner?.over === by ? tieOf(unitOf(event), by) : null;
  return { ...NOTHING_ELSE, outcome, reason, superseded_by: by };
}

const MISSING = `consumed, and not in the document: run "${commandLine('verify')}"`;

const SEARCH_STATES = { put: 'waiting', remove: 'being removed', confirm: 'removed' } as const;

function searchState(mark: Mark): string {
  return mark.mark === 'refused' ? `not searchable: ${mark.reason}` : SEARCH_STATES[mark.mark];
}
