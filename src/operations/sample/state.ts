import type { Parts } from '../../compose/parts.ts';
import type { CloudEvent } from '../../events/envelope.ts';
import { structuredRecord } from '../../events/structured-record.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { changeDocument } from '../../stores/documents/change.ts';
import type { Documents } from '../../stores/documents/port.ts';
import { SAMPLE, SAMPLE_CATALOG } from '../../stores/sample-sign.ts';
import { createAppender } from '../appender.ts';

/** One document: how far the sample has come in this log. Absent where the log was not empty at the first start. */
export interface SampleState {
  /** The moment that the sample ends at. */
  readonly end: Instant;
  /** Whether all of it has been appended. */
  readonly appended: boolean;
  /** The last round whose probes are in the log, and the first one: those between them are there as well. */
  readonly through: number;
  readonly from: number;
}

export async function readSample(documents: Documents): Promise<SampleState | null> {
  await documents.declare(SAMPLE);
  return (await documents.get<SampleState>(SAMPLE.name, [SAMPLE_CATALOG])).get(SAMPLE_CATALOG)?.body ?? null;
}

/** `change` returns null to leave all as it is. False where it did. */
export async function changeSample(
  documents: Documents,
  change: (state: SampleState | null) => SampleState | null,
): Promise<boolean> {
  const changed = await changeDocument<SampleState>(documents, SAMPLE.name, SAMPLE_CATALOG, (stored) =>
    change(stored?.body ?? null),
  );
  return changed !== null;
}

interface AppendOptions {
  /** Events appended at once. */
  readonly batch: number;
  readonly signal: AbortSignal;
  /** Called with the number of events appended so far. */
  readonly onAppended?: ((appended: number) => void) | undefined;
}

/** Appends events to the topics of their types. False where the signal was aborted before the last of them. */
export async function appendEvents(
  { log, topicName }: Parts,
  events: Iterable<CloudEvent>,
  options: AppendOptions,
): Promise<boolean> {
  await using appender = createAppender(log, options);
  for (const event of events) {
    if (options.signal.aborted) return false;
    const record = structuredRecord(event);
    await appender.add({ ...record, topic: topicName(record.topic) });
  }
  await appender.finish();
  return true;
}
