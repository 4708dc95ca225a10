import { PermanentError } from '../../../platform/errors.ts';
import { openWithSchema } from '../../../platform/sqlite-schema.ts';
import { snapshot, transact } from '../../../platform/sqlite-transactions.ts';
import type { DatabaseSync } from '../../../platform/sqlite.ts';
import type { Access } from '../../../platform/sqlite-opening.ts';
import { partitionOf } from '../partition.ts';
import type { LogRecord, Position } from '../port.ts';
import type { LogFile, Partition } from './log-file.ts';
import { headersToText, type RecordRow, toRecord } from './record-rows.ts';
import { prepare, SCHEMA, SPAN } from './statements.ts';

/** The file of the SQLite log: its tables, and every statement over records. Synchronous; each call is one transaction. */

/** A batch ends early once its values pass this many bytes, so that large records do not fill the memory. */
const BATCH_BYTES = 4 * 1024 * 1024;

/** Opens the file; with `create`, makes its tables where they are missing. `busyMs` and `access` as in `openSqlite`. */
export function openLogFile(path: string, busyMs: number, access?: Access): LogFile {
  return logFile(openWithSchema(path, SCHEMA, { access, durability: 'full', busyMs }));
}

function logFile(database: DatabaseSync): LogFile {
  const sql = prepare(database);
  const partitions = (topic: string) => sql.partitions.all(topic) as unknown as Partition[];
  const existing = (topic: string): readonly Partition[] => {
    const found = partitions(topic);
    if (found.length === 0) throw new PermanentError(`The log has no topic ${topic}. Create it first.`);
    return found;
  };

  return {
    database,
    partitions,

    createTopics: (specs) =>
      transact(database, () => {
        for (const { name, partitions: count, retentionMs } of specs) {
          if (sql.createTopic.run(name, retentionMs).changes === 0) continue;
          for (let partition = 0; partition < count; partition += 1) sql.createPartition.run(name, partition);
        }
      }),

    append: (records, now) =>
      transact(database, () => {
        const topics = new Map<string, Tail[]>();
        const places = records.map(({ topic, key, value, headers }) => {
          let tails = topics.get(topic);
          if (!tails) topics.set(topic, (tails = existing(topic).map((partition) => tailOf(partition, now))));
          const tail = tails[partitionOf(key, tails.length)] as Tail;
          const position = tail.latest;
          sql.insert.run(tail.id * SPAN + position, key, value, headersToText(headers), tail.timestamp);
          tail.latest += 1;
          return { topic, partition: tail.partition, position };
        });
        for (const tail of [...topics.values()].flat()) {
          if (tail.latest > tail.before) sql.advance.run(tail.latest, tail.timestamp, tail.id);
        }
        return places;
      }),

    // One transaction: between two statements a truncation could make a hole that the batch would not show.
    read: ({ topic, partition, from, to, maxRecords }) =>
      snapshot(database, () => {
        const { id, earliest, latest } = find(existing(topic), topic, partition);
        const start = Math.max(from, earliest);
        const end = Math.max(start, Math.min(to, latest, start + maxRecords));
        const records: LogRecord[] = [];
        let bytes = 0;
        for (const row of sql.records.iterate(id * SPAN + start, id * SPAN + end)) {
          const record = toRecord(row as unknown as RecordRow, topic, partition, id);
          records.push(record);
          bytes += record.value?.length ?? 0;
          if (bytes >= BATCH_BYTES) return { from: start, next: record.position + 1, records };
        }
        return { from: start, next: end, records };
      }),

    raiseEarliest: ({ id }, before) => {
      sql.raiseEarliest.run(before, id);
    },

    deleteUnreachable: ({ id }, limit) => Number(sql.deleteUnreachable.run(id, limit).changes),

    retention: (topic) =>
      (sql.retention.get(topic) as { readonly retentionMs: number | null } | undefined)?.retentionMs,

    retained: () => sql.retained.all() as unknown as { name: string; retentionMs: number }[],

    firstKept: ({ id, earliest, latest }, before, limit) => {
      const end = Math.min(latest, earliest + limit);
      const kept = sql.firstSince.get(id * SPAN + earliest, id * SPAN + end, before);
      return kept ? Number(kept['id']) - id * SPAN : end;
    },

    dataVersion: () => Number(sql.dataVersion.get()?.['data_version']),
  };
}

/** A partition's end while records are appended to it. */
interface Tail {
  readonly id: number;
  readonly partition: number;
  readonly before: Position;
  readonly timestamp: number;
  latest: Position;
}

function tailOf({ id, partition, latest, newest }: Partition, now: number): Tail {
  return { id, partition, before: latest, latest, timestamp: Math.max(now, newest) };
}

function find(partitions: readonly Partition[], topic: string, partition: number): Partition {
  const found = partitions[partition];
  if (!found) throw new PermanentError(`The topic ${topic} has no partition ${partition}.`);
  return found;
}
