import type { Decode } from '../events/decode.ts';
import type { Log, LogRecord } from '../events/log/port.ts';
import { partitionOf } from '../events/log/partition.ts';
import type { Documents, Stored } from '../stores/documents/port.ts';
import type { Mark } from '../stores/outbox.ts';
import { CHECKPOINTS, laneName, type Checkpoint, type LaneId } from './lane.ts';
import { PARKED, parkedId, type ParkedEvent } from './parking.ts';
import { collectionOf, type Projection, type ReadModelDocument } from './projection.ts';
import { shortDigest } from './register.ts';
import { Stopped } from './retry.ts';

/**
 * What became of the events about one subject: the answer to "did mine arrive?", for as long as the log keeps them. The
 * subject is the key of their records, so one partition of each topic is read, and nothing else.
 */

export type Fate =
  /** Not consumed yet. */
  | { readonly outcome: 'waiting' }
  /** A document holds what it said. */
  | { readonly outcome: 'in_force' }
  /** Something newer has taken its place, or the window of the read model has gone past it. */
  | { readonly outcome: 'superseded' }
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
  /** Without its version where the event could be read, else as it came. */
  readonly type: string | null;
  /** The document that it belongs to; null where it belongs to none. */
  readonly document: string | null;
};

export interface Trace {
  /** The newest ones, in the order of the log, topic by topic. */
  readonly events: readonly TracedEvent[];
  /** Older ones that were left out. */
  readonly older: number;
  /** What waits in the outbox of their documents, by `listings@1/ai-news`; absent where the search index is up to date. */
  readonly marks: ReadonlyMap<string, Mark>;
}

export interface TraceParts {
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

export async function traceSubject(subject: string, parts: TraceParts): Promise<Trace> {
  const events: TracedEvent[] = [];
  const marks = new Map<string, Mark>();
  let older = 0;
  for (const projection of parts.projections) {
    for (const topic of projection.topics) {
      const found = await readSubject(subject, parts.topicName(topic), parts);
      older += found.older;
      events.push(...(await judge(projection, found.records, marks, parts)));
    }
  }
  return { events, older, marks };
}

async function readSubject(
  subject: string,
  topic: string,
  { log, limit, signal, onProgress }: TraceParts,
): Promise<{ readonly records: readonly LogRecord[]; readonly older: number }> {
  const ends = await log.ends(topic);
  const end = ends[ends.length > 0 ? partitionOf(subject, ends.length) : 0];
  const records: LogRecord[] = [];
  let older = 0;
  if (!end) return { records, older };
  const { partition, earliest, latest, readable = latest } = end;
  for await (const batch of log.read({ topic, partition, from: earliest, to: readable, signal })) {
    for (const record of batch.records) if (record.key === subject) records.push(record);
    older += records.splice(0, Math.max(0, records.length - limit)).length;
    onProgress?.(batch.next - earliest, readable - earliest);
  }
  if (signal.aborted) throw new Stopped('stopped while the log was read');
  return { records, older };
}

async function judge(
  projection: Projection,
  records: readonly LogRecord[],
  marks: Map<string, Mark>,
  { documents, decode }: TraceParts,
): Promise<readonly TracedEvent[]> {
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
  const decoded = records.map((record) => ({ record, ...identified(decode, record, projection) }));
  const ids = [...new Set(decoded.flatMap(({ document }) => (document === null ? [] : [document])))];
  const stored = await documents.get<ReadModelDocument>(collection, ids);
  for (const { id, body } of stored.values()) if (body.dirty) marks.set(`${collection}/${id}`, body.dirty);
  const held = new Map([...stored].map(([id, { body }]) => [id, digestsIn(body.registers)]));
  return decoded.map(({ digest, ...event }): TracedEvent => {
    const isWaiting = event.record.position >= (checkpoint?.body.position ?? 0);
    const parkedAs = parked.get(parkedIdOf(event.record));
    const isHeld = event.document !== null && digest !== null && held.get(event.document)?.has(digest);
    return {
      readModel: collection,
      ...event,
      ...fateOf({ ...event, isWaiting, parkedAs, isHeld: isHeld ?? false }),
    };
  });
}

function identified(decode: Decode, record: LogRecord, projection: Projection) {
  const decoded = decode(record);
  switch (decoded.outcome) {
    case 'event': {
      const { id, source, type, digest } = decoded.event;
      return {
        id,
        source,
        type,
        digest: shortDigest(digest),
        document: projection.documentId(decoded.event),
      };
    }
    case 'rejected': {
      const { id, source, type } = decoded.rejection;
      return { id, source, type, digest: null, document: null };
    }
    case 'skipped':
      return { id: null, source: null, type: decoded.type, digest: null, document: null };
  }
}

function fateOf(known: {
  readonly document: string | null;
  readonly isWaiting: boolean;
  readonly isHeld: boolean;
  readonly parkedAs: Stored<ParkedEvent> | undefined;
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
  return { outcome: known.isHeld ? 'in_force' : 'superseded' };
}

/** The digests of the events whose values stand in the registers, wherever in them. */
function digestsIn(registers: unknown): ReadonlySet<string> {
  const digests = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('digest' in value && typeof value.digest === 'string') digests.add(value.digest);
    else for (const part of Object.values(value)) collect(part);
  };
  collect(registers);
  return digests;
}
