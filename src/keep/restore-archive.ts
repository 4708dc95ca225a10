import { partitionOf } from '../events/log/partitioner.ts';
import type { Log, LogRecord, NewRecord } from '../events/log/port.ts';
import { firstAppendedAt, ORIGINAL_TIME } from '../events/original-time.ts';
import { PermanentError } from '../platform/errors.ts';
import { readInOrder, type Archive } from './archive-reader.ts';

export interface RestoreOptions {
  /** Topics of the archive, by the contract's names. */
  readonly topics: readonly string[];
  /** Every topic that must hold nothing that is not from the archive. */
  readonly empty: readonly string[];
  /** What stands before their names in this log. */
  readonly topicPrefix: string;
  /** Ends it; the next call goes on from there. */
  readonly signal: AbortSignal;
  /** Called before anything is appended, once it is known that it may be. */
  readonly onBegin?: () => void;
  readonly onProgress?: (records: number) => void;
}

export interface RestoreResult {
  /** By this call. */
  readonly appended: number;
  /** Those that an earlier call had appended. */
  readonly before: number;
  /** Records that stand in another partition than in the log that was archived: their topic has other partitions here. */
  readonly moved: number;
  readonly interrupted: boolean;
}

/**
 * Appends the records of an archive to an empty log, in their order. Each carries the time of its first append in a
 * header. The log decides by a record's key in which partition it stands: the same as before where the topic has as many
 * partitions as then, and it was appended by the usual rule.
 *
 * What was killed in the middle is gone on with by the next call: a log that begins as this archive does counts as empty.
 * @throws {PermanentError} where the log holds anything else; nothing is appended then.
 */
export async function restoreArchive(
  archive: Archive,
  log: Log,
  options: RestoreOptions,
): Promise<RestoreResult> {
  const { signal, onBegin, onProgress } = options;
  const filled = await readFilled(log, options);
  if (filled.size > 0) await requireBeginning(archive, log, filled, options);
  onBegin?.();
  await createTopics(archive, log, options);
  const done = { appended: 0, before: 0, moved: 0 };
  for await (const chunk of placedRecords(archive, log, options)) {
    if (signal.aborted) break;
    const fresh = chunk.filter(({ place, nth }) => nth >= (filled.get(place) ?? 0));
    if (fresh.length > 0) await log.append(fresh.map(({ record }) => restored(record, options.topicPrefix)));
    done.appended += fresh.length;
    done.before += chunk.length - fresh.length;
    done.moved += chunk.filter(({ record, partition }) => record.partition !== partition).length;
    onProgress?.(done.appended + done.before);
  }
  return { ...done, interrupted: signal.aborted };
}

/** The records in their order, with where each of them stands in this log: as the nth of its partition, from 0. */
async function* placedRecords(archive: Archive, log: Log, { topics, topicPrefix }: RestoreOptions) {
  const counts = new Map<string, number>();
  for (const topic of topics) counts.set(topic, await log.partitionCount(`${topicPrefix}${topic}`));
  const next = new Map<string, number>();
  for await (const chunk of readInOrder(archive, topics))
    yield chunk.map((record) => {
      const partition = partitionOf(record.key, counts.get(record.topic) ?? 1);
      const place = `${record.topic}/${partition}`;
      const nth = next.get(place) ?? 0;
      next.set(place, nth + 1);
      return { record, partition, place, nth };
    });
}

/** A record as it is appended: what the log does not keep of it, its time, stands in a header. */
function restored(record: LogRecord, topicPrefix: string): NewRecord {
  const { topic, key, value, headers } = record;
  const time = Math.max(0, firstAppendedAt(record));
  return {
    topic: `${topicPrefix}${topic}`,
    key,
    value,
    headers: { ...headers, [ORIGINAL_TIME]: String(time) },
  };
}

/** How many records each partition holds that holds any, by topic (without the prefix) and number. */
async function readFilled(log: Log, { empty, topicPrefix }: RestoreOptions) {
  const filled = new Map<string, number>();
  for (const topic of empty) {
    for (const { partition, earliest, latest } of await log.ends(`${topicPrefix}${topic}`)) {
      if (latest > earliest) filled.set(`${topic}/${partition}`, latest - earliest);
    }
  }
  return filled;
}

async function createTopics({ manifest }: Archive, log: Log, { topics, topicPrefix }: RestoreOptions) {
  const wanted = manifest.topics.filter(
    ({ name, partitions }) => topics.includes(name) && partitions.length > 0,
  );
  await log.ensureTopics(
    wanted.map(({ name, retention_ms: retentionMs, partitions }) => ({
      name: `${topicPrefix}${name}`,
      partitions: partitions.length,
      retentionMs,
    })),
  );
}

/** @throws {PermanentError} where what is in the log is not what an earlier call would have appended. */
async function requireBeginning(
  archive: Archive,
  log: Log,
  filled: ReadonlyMap<string, number>,
  options: RestoreOptions,
): Promise<void> {
  const left = new Set(filled.keys());
  for await (const chunk of placedRecords(archive, log, options)) {
    if (options.signal.aborted) return;
    for (const { record, partition, place, nth } of chunk) {
      if (nth + 1 !== filled.get(place)) continue;
      const wanted = restored(record, options.topicPrefix);
      if (!(await isLast(log, partition, wanted, options.signal))) throw notEmpty(place, filled, options);
      left.delete(place);
      if (left.size === 0) return;
    }
  }
  const [place = ''] = left;
  if (!options.signal.aborted) throw notEmpty(place, filled, options);
}

function notEmpty(place: string, filled: ReadonlyMap<string, number>, { topicPrefix }: RestoreOptions) {
  return new PermanentError(
    `The log is not empty: ${topicPrefix}${place} holds ${filled.get(place)} records, and they are not the beginning of this archive. Restore into a new data folder (CATALOG_DATA), or into topics of another prefix (CATALOG_TOPIC_PREFIX).`,
  );
}

/** Whether the newest record of a partition is this one. */
async function isLast(log: Log, partition: number, wanted: NewRecord, signal: AbortSignal): Promise<boolean> {
  const { topic } = wanted;
  const end = (await log.ends(topic)).find((ends) => ends.partition === partition)?.latest ?? 0;
  for await (const { records } of log.read({ topic, partition, from: end - 1, to: end, signal })) {
    const [found] = records;
    if (found) return contentOf(found) === contentOf(wanted);
  }
  return false;
}

function contentOf({ key, value, headers }: NewRecord): string {
  const sorted = Object.entries(headers).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([key, value && Buffer.from(value).toString('base64'), sorted]);
}
