import type { Parts } from '../../compose/parts.ts';
import { ensureReadTopics } from '../../compose/projector.ts';
import type { CloudEvent } from '../../events/envelope.ts';
import { structuredRecord } from '../../events/event-types.ts';
import { unixMs, type Instant } from '../../platform/time/instant.ts';
import { CHECKPOINTS, type Checkpoint } from '../../projecting/engine/lane.ts';
import { FIRST_ROUNDS, sampleEvents } from '../../sample/sample.ts';
import { lastRoundBy } from '../../sample/targets.ts';
import { changeDocument } from '../../stores/documents/change-document.ts';
import type { Documents } from '../../stores/documents/port.ts';
import { SAMPLE, SAMPLE_CATALOG } from '../../stores/sample-sign.ts';
import { createAppender, type AppenderOptions } from '../batch-appender.ts';

/** One document: how far the sample has come in this log. Absent where the log was not empty at the first start. */
interface SampleState {
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

/** Appends events to the topics of their types. False where the signal was aborted before the last of them. */
export async function appendEvents(
  { log, topicName }: Parts,
  events: Iterable<CloudEvent>,
  options: AppenderOptions & { readonly signal: AbortSignal },
): Promise<boolean> {
  using appender = createAppender(log, options);
  for (const event of events) {
    if (options.signal.aborted) return false;
    const record = structuredRecord(event);
    await appender.add({ ...record, topic: topicName(record.topic) });
  }
  await appender.finish();
  return true;
}

const BATCH = 2000;

/**
 * Appends the sample to an empty log, like any other events. After a start that was killed in the middle, the next one
 * appends the whole sample again, with the same end, and the fold absorbs what was there. Says whether it was this process
 * that began to.
 */
export async function publishSample(
  parts: Parts,
  signal: AbortSignal,
  onAppended?: (appended: number) => void,
): Promise<boolean> {
  const { documents, clock } = parts;
  await ensureReadTopics(parts);
  const stored = await readSample(documents);
  if (stored?.appended) return false;
  if (!stored && !(await isEmpty(parts))) return false;
  const end = stored?.end ?? new Date(Math.floor(clock.now() / 1000) * 1000).toISOString();
  const through = lastRoundBy(unixMs(end));
  const begun: SampleState = { end, appended: false, through, from: through - FIRST_ROUNDS + 1 };
  // Another process has just begun it.
  if (!stored && !(await changeSample(documents, (state) => (state ? null : begun)))) return false;
  if (await appendEvents(parts, sampleEvents(end), { batch: BATCH, signal, onAppended }))
    await changeSample(documents, (state) => state && { ...begun, appended: true });
  return true;
}

/** A log that has been read, by what the documents say, is no new one, whatever is left of it. */
async function isEmpty({ log, documents, projections, topicName }: Parts): Promise<boolean> {
  for await (const page of documents.scan<Checkpoint>(CHECKPOINTS.name))
    if (page.some(({ body }) => body.position > 0)) return false;
  for (const topic of projections.flatMap((projection) => projection.topics)) {
    const ends = await log.ends(topicName(topic));
    if (ends.some(({ latest }) => latest > 0)) return false;
  }
  return true;
}
