import type { Parts } from '../../../compose/parts.ts';
import type { CloudEvent } from '../../../events/envelope.ts';
import type { NewRecord } from '../../../events/log/port.ts';
import { structuredRecord } from '../../../events/structured-record.ts';
import type { Instant } from '../../../platform/instant.ts';
import {
  newVersion,
  type Documents,
  type Outcome,
  type Stored,
  type Version,
} from '../../../stores/documents/port.ts';
import { SAMPLE, SAMPLE_CATALOG } from '../../../stores/sample.ts';

/** One document: how far the sample has come in this log. Absent where the log was not empty at the first start. */
export interface SampleState {
  /** The moment that the sample ends at. */
  readonly end: Instant;
  /** Whether all of it has been appended. */
  readonly appended: boolean;
  /** The last round whose probes are in the log, and all before it. */
  readonly through: number;
  /** The last round that a process has set out to append: beyond `through` while it does, or where it failed. */
  readonly claimed: number;
}

/** Another document: how far the older probes have come. Absent before the first of them. */
export interface SampleHistory {
  /** The first round whose probes are in the log, and all after it. */
  readonly from: number;
}

export async function readSample(documents: Documents): Promise<Stored<SampleState> | null> {
  await documents.declare(SAMPLE);
  return (await documents.get<SampleState>(SAMPLE.name, [SAMPLE_CATALOG])).get(SAMPLE_CATALOG) ?? null;
}

/** `read` null: there was none. */
export function writeSample(documents: Documents, read: Version | null, body: SampleState): Promise<Written> {
  return write(documents, { id: SAMPLE_CATALOG, read, body });
}

/** The collection has to be there: `readSample` declares it. */
export async function readHistory(documents: Documents): Promise<Stored<SampleHistory> | null> {
  return (await documents.get<SampleHistory>(SAMPLE.name, ['history'])).get('history') ?? null;
}

/** A conflict is another process that has written the same, or less: nothing is lost by it. */
export function writeHistory(
  documents: Documents,
  read: Version | null,
  body: SampleHistory,
): Promise<Written> {
  return write(documents, { id: 'history', read, body });
}

interface Written {
  readonly outcome: Outcome;
  readonly version: Version;
}

async function write(
  documents: Documents,
  given: { readonly id: string; readonly read: Version | null; readonly body: object },
): Promise<Written> {
  const version = newVersion();
  const [outcome = 'conflict'] = await documents.write(SAMPLE.name, [{ ...given, version }]);
  return { outcome, version };
}

interface AppendOptions {
  /** Events appended at once. */
  readonly batch: number;
  readonly signal: AbortSignal;
  /** Called with the number of events appended so far. */
  readonly onAppended?: (appended: number) => void;
}

/** Appends events to the topics of their types. False where the signal was aborted before the last of them. */
export async function appendEvents(
  { log, topicName }: Parts,
  events: Iterable<CloudEvent>,
  { batch, signal, onAppended }: AppendOptions,
): Promise<boolean> {
  let records: NewRecord[] = [];
  let appended = 0;
  const flush = async (): Promise<void> => {
    await log.append(records);
    appended += records.length;
    records = [];
    onAppended?.(appended);
  };
  for (const event of events) {
    const record = structuredRecord(event);
    records.push({ ...record, topic: topicName(record.topic) });
    if (records.length < batch) continue;
    await flush();
    if (signal.aborted) return false;
  }
  await flush();
  return true;
}
