import { commandLine } from '../../platform/text/command-line.ts';
import type { Decode } from '../../events/decode.ts';
import { splitType } from '../../events/envelope.ts';
import type { CatalogEvent } from '../../events/event.ts';
import type { Log, LogRecord } from '../../events/log/port.ts';
import type { Documents, Stored } from '../../stores/documents/port.ts';
import type { Mark } from '../../stores/outbox.ts';
import { CHECKPOINTS, laneName, type Checkpoint, type LaneId } from '../engine/lane.ts';
import { PARKED, parkedId, type ParkedEvent } from '../engine/parking.ts';
import { collectionOf, type Projection, type ReadModelDocument } from '../engine/projection.ts';
import { shortDigest } from '../engine/register.ts';
import { Stopped } from '../engine/retry.ts';
import { outsideOf } from '../engine/sweep.ts';
import { historyOf, lengthOf } from '../replay/history.ts';
import { evidenceOf, tieOf, unitOf, type Evidence } from './evidence.ts';

/**
 * What became of the events about one subject: the answer to "did mine arrive?", for as long as the log keeps them. The
 * subject should be the key of their records; but an event without a key is served as well, from whichever partition it
 * is in, and one with a wrong key is parked. So every partition is read, and the subject looked for in the events.
 */

type Fate =
  /** Not consumed yet. */
  | { readonly outcome: 'waiting' }
  | Extract<Evidence, { readonly outcome: 'in_force' }>
  /** `reason` is there where another event of the same revision has taken its place. */
  | (Extract<Evidence, { readonly outcome: 'superseded' }> & { readonly reason?: string })
  /** It was consumed, and its document shows neither it nor anything in its place: the document has lost it. */
  | { readonly outcome: 'missing'; readonly reason: string }
  /** Nobody reads it: a tombstone, an unknown type, or one that no read model is made of. */
  | { readonly outcome: 'ignored' }
  /** It could not be folded, and waits for a decision. */
  | { readonly outcome: 'parked'; readonly reason: string; readonly parkedId: string }
  /** It could not be folded, and was given up. */
  | { readonly outcome: 'discarded'; readonly reason: string };

export type TracedEvent = Fate & {
  readonly readModel: string;
  readonly record: LogRecord;
  readonly id: string | null;
  readonly source: string | null;
  /** Without its version. */
  readonly type: string | null;
  /** The document that it belongs to; null where it belongs to none. */
  readonly document: string | null;
};

export interface Trace {
  /** The newest ones, in the order of the log, topic by topic. */
  readonly events: readonly TracedEvent[];
  /** Older ones that were left out. */
  readonly older: number;
  /** Records without a key whose subject could not be read: they may be about this one, or any other. */
  readonly unreadable: number;
  /** What waits in the outbox of their documents, by `listings@1/ai-news`; absent where the search index is up to date. */
  readonly marks: ReadonlyMap<string, Mark>;
}

interface TraceParts {
  readonly log: Log;
  readonly documents: Documents;
  readonly projections: readonly Projection[];
  readonly decode: Decode;
  readonly topicName: (topic: string) => string;
  readonly signal: AbortSignal;
  /** The newest events that are told, of each topic. */
  readonly limit: number;
  readonly onProgress?: (read: number, total: number) => void;
}

/**
 * Reads all of the projected topics once, and shows how far that is.
 * @throws {Stopped} where the signal was aborted.
 */
export async function traceSubject(subject: string, parts: TraceParts): Promise<Trace> {
  const { log, projections, topicName, signal, onProgress } = parts;
  const events: TracedEvent[] = [];
  const marks = new Map<string, Mark>();
  const isCandidate = candidates(subject);
  const names = [...new Set(projections.flatMap(({ topics }) => topics))];
  const topics = await Promise.all(
    names.map(async (name) => ({ name, history: await historyOf(log, [topicName(name)]) })),
  );
  const total = topics.reduce((sum, { history }) => sum + lengthOf(history), 0);
  let [read, older, unreadable] = [0, 0, 0];
  for (const { name, history } of topics) {
    const builds = projections.filter((projection) => projection.topics.includes(name));
    // A kept fold reads events by rules of its own.
    const decoders = [...new Set(builds.map(({ decode = parts.decode }) => decode))];
    const newest: LogRecord[] = [];
    for (const held of history.partitions) {
      for await (const batch of history.read(held, signal)) {
        for (const record of batch.records) {
          if (!isCandidate(record)) continue;
          const subjects = decoders.map((decode) => toldBy(record, decode).subject);
          if (record.key === subject || subjects.includes(subject)) newest.push(record);
          else if (record.value !== null && subjects.every((one) => one === null)) unreadable += 1;
        }
        older += keepNewest(newest, parts.limit);
        read += batch.next - batch.from;
        onProgress?.(read, total);
      }
    }
    for (const records of Map.groupBy(newest, ({ partition }) => partition).values())
      for (const projection of builds) events.push(...(await judge(projection, records, marks, parts)));
  }
  if (signal.aborted) throw new Stopped('stopped while the log was read');
  return { events, older, unreadable, marks };
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
    return text.includes(bytes) || text.includes(escape) || headers['ce_subject'] === subject;
  };
}

/** What a record says of itself. One that cannot be read is about its key. */
function toldBy(record: LogRecord, decode: Decode) {
  const decoded = decode(record);
  switch (decoded.outcome) {
    case 'event': {
      const { event } = decoded;
      const { subject, id, source, type, digest } = event;
      return { subject, id, source, type, digest: shortDigest(digest), event };
    }
    case 'rejected': {
      const { subject, id, source, type } = decoded.rejection;
      return { subject: subject ?? record.key, id, source, type: nameOf(type), digest: null, event: null };
    }
    case 'skipped': {
      const { type } = decoded;
      return { subject: record.key, id: null, source: null, type: nameOf(type), digest: null, event: null };
    }
  }
}

function nameOf(type: string | null): string | null {
  return type && splitType(type).name;
}

/** By the time of the record: partitions follow each other, and none of them is older as a whole. */
function keepNewest(records: LogRecord[], limit: number): number {
  if (records.length <= limit) return 0;
  records.sort((a, b) => a.timestamp - b.timestamp || a.partition - b.partition || a.position - b.position);
  return records.splice(0, records.length - limit).length;
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
  const checkpoint = (await documents.get<Checkpoint>(CHECKPOINTS.name, [laneName(lane)])).get(
    laneName(lane),
  );
  const parkedIdOf = ({ position }: LogRecord): string =>
    parkedId(lane, checkpoint?.body.incarnation ?? 0, position);
  const parked = await documents.get<ParkedEvent>(PARKED.name, records.map(parkedIdOf));
  const told = records.map((record) => {
    const { id, source, type, digest, event } = toldBy(record, own);
    return { record, id, source, type, digest, document: event && projection.documentId(event), event };
  });
  const ids = [...new Set(told.flatMap(({ document }) => (document === null ? [] : [document])))];
  const stored = await documents.get<ReadModelDocument>(collection, ids);
  for (const { id, body } of stored.values()) if (body.dirty) marks.set(`${collection}/${id}`, body.dirty);
  const outside = await outsideAmong(projection, ids, stored, documents);
  return told.map(({ digest, event: read, ...event }): TracedEvent => {
    const isWaiting = event.record.position >= (checkpoint?.body.position ?? 0);
    const parkedAs = parked.get(parkedIdOf(event.record));
    const evidence = (id: string): Evidence => {
      if (outside.has(id)) return { outcome: 'superseded', by: null };
      if (read === null || digest === null) return { outcome: 'missing' };
      return evidenceOf(projection, stored.get(id)?.body.registers ?? null, read, digest);
    };
    return {
      readModel: collection,
      ...event,
      ...fateOf({ ...event, isWaiting, parkedAs, evidence, read }),
    };
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
  const all = [...absent];
  for await (const batch of documents.scan(collectionOf(projection), { keys: [] }))
    for (const { id } of batch) all.push(id);
  return new Set(outsideOf(projection, all));
}

function fateOf(known: {
  readonly document: string | null;
  readonly isWaiting: boolean;
  readonly parkedAs: Stored<ParkedEvent> | undefined;
  readonly evidence: (document: string) => Evidence;
  readonly read: CatalogEvent | null;
}): Fate {
  if (known.parkedAs) {
    const { id, body } = known.parkedAs;
    const { reason } = body.rejection;
    return body.state === 'discarded'
      ? { outcome: 'discarded', reason }
      : { outcome: 'parked', reason, parkedId: id };
  }
  if (known.isWaiting) return { outcome: 'waiting' };
  if (known.document === null) return { outcome: 'ignored' };
  const evidence = known.evidence(known.document);
  if (evidence.outcome === 'missing') return { ...evidence, reason: MISSING };
  const isTie = evidence.outcome === 'superseded' && evidence.winner?.over === evidence.by;
  if (!isTie || evidence.by === null || !known.read) return evidence;
  return { ...evidence, reason: tieOf(unitOf(known.read), evidence.by) };
}

const MISSING = `consumed, and not in the document: run "${commandLine('verify')}"`;
