import type { Decode } from '../../events/decode.ts';
import type { CatalogEvent } from '../../events/event.ts';
import type { Log, LogRecord, UnreadableRange } from '../../events/log/port.ts';
import { firstAppendedAt } from '../../events/original-time.ts';
import { readAlias, type LiveAlias } from '../../stores/aliases.ts';
import type { Projection } from '../engine/projection.ts';
import { StoppedError } from '../engine/retry.ts';
import type { FoldParts } from './log-fold.ts';
import { omissionsOf, NONE } from '../replay/build-omissions.ts';
import { beginningOf, historyOf, type HeldPartition, type History } from '../replay/history.ts';

/** The events of a read model as the log holds them, for questions about the past. */

interface PastParts extends Pick<FoldParts, 'documents' | 'decode' | 'topicName' | 'signal'> {
  readonly log: Pick<Log, 'ends' | 'read'>;
  /** Called with the number of records read so far. */
  readonly onProgress?: (records: number) => void;
}

/** The past of one read model, with the fold of this release. */
export interface Past {
  readonly projection: Projection;
  /** Whose live build says which events are parked; null where nothing is projected. */
  readonly alias: LiveAlias | null;
  readonly lanes: readonly PastLane[];
  /** What stands in the log and cannot be read, of what was read so far. */
  readonly unreadable: readonly UnreadableRange[];
  /**
   * Reads the lanes one after the other: what stands in two of them comes in no common order (`inLogOrder`). Events about
   * these subjects alone, where they are given: what is about others is not even decoded. Every partition is read, for other
   * people's producers have rules of their own for where a key's records stand.
   * @throws {StoppedError} where the signal was aborted.
   */
  records(subjects?: ReadonlySet<string>): AsyncIterable<PastRecord>;
}

/** What a record was found to be. Records that no read model is made of are none of them. */
export type PastRecord = PastEvent | LeftOut;

export interface PastEvent {
  readonly outcome: 'event';
  readonly record: LogRecord;
  /** When it came into the log, Unix milliseconds; restored from an archive, when it first did. */
  readonly at: number;
  readonly subject: string;
  readonly event: CatalogEvent;
}

/** Parked, discarded, or refused today: the fold leaves it out. */
interface LeftOut extends Pick<PastEvent, 'record' | 'at'> {
  readonly outcome: 'left_out';
  /** null where it is not known. */
  readonly subject: string | null;
  readonly reason: string;
}

/** A partition of the read model's topics, and what of it there still is. */
export interface PastLane extends HeldPartition {
  /** The time of the oldest record kept; null where there is none. */
  readonly beganAt: number | null;
}

export async function openPast(projection: Projection, parts: PastParts): Promise<Past> {
  const alias = await readAlias(parts.documents, projection.name);
  const history = await historyOf(parts.log, projection.topics.map(parts.topicName));
  const lanes: PastLane[] = [];
  for (const held of history.partitions)
    lanes.push({ ...held, beganAt: await beginningOf(history, held, parts.signal) });
  const unreadable: UnreadableRange[] = [];
  const opened = { projection, alias, lanes, unreadable };
  return { ...opened, records: (subjects) => readPast({ ...opened, history }, subjects, parts) };
}

interface OpenHistory extends Pick<Past, 'projection' | 'alias'> {
  readonly history: History;
  readonly unreadable: UnreadableRange[];
}

async function* readPast(
  { projection, alias, history, unreadable }: OpenHistory,
  subjects: ReadonlySet<string> | undefined,
  parts: PastParts,
): AsyncGenerator<PastRecord> {
  const { decode = parts.decode } = projection;
  const omissions = alias ? await omissionsOf(parts.documents, alias.collection) : NONE;
  let read = 0;
  for (const held of history.partitions) {
    for await (const batch of history.read(held, parts.signal)) {
      for (const record of batch.records) {
        if (subjects && record.key !== null && !subjects.has(record.key)) continue;
        const found = lookAt(record, decode, omissions.leavesOut(record));
        if (found && (!subjects || (found.subject !== null && subjects.has(found.subject)))) yield found;
      }
      unreadable.push(...(batch.unreadable ?? []));
      read += batch.records.length;
      parts.onProgress?.(read);
    }
    if (parts.signal.aborted) throw new StoppedError('stopped while the log was read');
  }
}

function lookAt(record: LogRecord, decode: Decode, isParked: boolean): PastRecord | null {
  const decoded = decode(record);
  if (decoded.outcome === 'skipped') return null;
  const at = firstAppendedAt(record);
  if (decoded.outcome === 'rejected') {
    const { reason, subject } = decoded.rejection;
    return { outcome: 'left_out', record, at, subject: subject ?? record.key, reason };
  }
  const { event } = decoded;
  const { subject } = event;
  if (!isParked) return { outcome: 'event', record, at, subject, event };
  return { outcome: 'left_out', record, at, subject, reason: 'it is parked, or was discarded' };
}

/** By the time of the log; records of one partition at one time in their own order. For `toSorted`. */
export function inLogOrder(a: PastRecord, b: PastRecord): number {
  if (a.at !== b.at) return a.at - b.at;
  if (a.record.topic !== b.record.topic) return a.record.topic < b.record.topic ? -1 : 1;
  return a.record.partition - b.record.partition || a.record.position - b.record.position;
}
