import type { Parts } from '../compose/parts.ts';
import { ensureTopics } from '../compose/projector.ts';
import { structuredRecord } from '../events/publishable.ts';
import type { NewRecord } from '../events/log/port.ts';
import type { Instant } from '../platform/instant.ts';
import { readProgress, waitFor } from '../projecting/progress.ts';
import { sampleEvents } from '../sample/sample.ts';
import { newVersion, type CollectionSpec } from '../stores/documents/port.ts';
import { note, number, showProgress } from './output.ts';

/** One document: the moment that the sample ends at, and whether all of it has been appended. */
const SAMPLE: CollectionSpec = { name: 'sample', indexes: [] };
const ID = 'catalog';

interface SampleState {
  readonly end: Instant;
  readonly appended: boolean;
}

const BATCH = 2000;

/**
 * Appends the sample to an empty log, as any other events. A start that was killed in the middle is made good: the next
 * one appends the whole sample again, with the same end, and the fold absorbs what was there.
 */
export async function publishSample(parts: Parts, signal: AbortSignal): Promise<void> {
  const { documents, clock } = parts;
  await ensureTopics(parts);
  await documents.declare(SAMPLE);
  const stored = (await documents.get<SampleState>(SAMPLE.name, [ID])).get(ID);
  if (stored?.body.appended) return;
  if (!stored && !(await isEmpty(parts))) return;
  const end = stored?.body.end ?? thisSecond(clock.now());
  const begun = {
    id: ID,
    read: stored?.version ?? null,
    version: newVersion(),
    body: { end, appended: false },
  };
  const [outcome] = await documents.write(SAMPLE.name, [begun]);
  // Another process has just begun it.
  if (outcome === 'conflict') return;
  if (!(await appendAll(parts, end, signal))) return;
  const done = { id: ID, read: begun.version, version: newVersion(), body: { end, appended: true } };
  await documents.write(SAMPLE.name, [done]);
}

function thisSecond(now: number): Instant {
  return new Date(Math.floor(now / 1000) * 1000).toISOString();
}

async function isEmpty({ log, projections, topicName }: Parts): Promise<boolean> {
  for (const topic of projections.flatMap((projection) => projection.topics)) {
    const ends = await log.ends(topicName(topic));
    if (ends.some(({ latest }) => latest > 0)) return false;
  }
  return true;
}

async function appendAll({ log, topicName }: Parts, end: Instant, signal: AbortSignal): Promise<boolean> {
  using progress = showProgress('sample events appended');
  let batch: NewRecord[] = [];
  let appended = 0;
  const flush = async (): Promise<void> => {
    await log.append(batch);
    appended += batch.length;
    batch = [];
    progress.update(appended, null);
  };
  for (const event of sampleEvents({ end })) {
    const record = structuredRecord(event);
    batch.push({ ...record, topic: topicName(record.topic) });
    if (batch.length < BATCH) continue;
    await flush();
    if (signal.aborted) return false;
  }
  await flush();
  note(`${number(appended)} sample events appended.`);
  return true;
}

/** Waits until everything in the log has reached the documents, and shows how far that has come. */
export async function waitUntilProjected(parts: Parts, signal: AbortSignal): Promise<void> {
  const { log, documents, projections, topicName, clock } = parts;
  const lanes = await readProgress({ log, documents, projections, topicName });
  const places = lanes.map(({ topic, partition, latest }) => ({ topic, partition, position: latest - 1 }));
  using progress = showProgress('events projected');
  let total: number | null = null;
  const waited = await waitFor({ log, documents, projections, topicName }, places, {
    clock,
    signal,
    onProgress: (left) => {
      total ??= left;
      progress.update(total - left, total);
    },
  });
  if (waited === 'halted') note('catalog: a lane has halted: see "catalog status".');
}
