import { readFileSync } from 'node:fs';

import { PermanentError } from '../../../platform/errors.ts';
import { snapshot, transact } from '../../../platform/sqlite/transactions.ts';
import type { DatabaseSync, StatementSync } from '../../../platform/sqlite/node-sqlite.ts';
import type { Batch, LogRecord, NewRecord, Place, Position, PositionRange, TopicSpec } from '../port.ts';
import { partitionOf } from '../partitioner.ts';

/** The file of the SQLite log: its tables, and every statement over records. Synchronous; each call is one transaction. */

/** A batch ends early once its records pass this many bytes, so that large records do not fill the memory. */
const BATCH_BYTES = 4 * 1024 * 1024;
/** So many rows are taken at once, which costs less than one by one; the largest would have 25 MiB together. */
const ROWS = 100;

export interface Partition {
  readonly id: number;
  readonly partition: number;
  readonly earliest: Position;
  readonly latest: Position;
  /** The timestamp of the newest record: timestamps never fall, even where the machine's clock does. */
  readonly newest: number;
}

export interface RecordRange extends PositionRange {
  readonly maxRecords: number;
}

export type LogFile = ReturnType<typeof logFile>;

export function logFile(database: DatabaseSync) {
  const sql = prepare(database);
  const partitions = (topic: string) => sql.partitions.all(topic) as unknown as readonly Partition[];
  const existing = (topic: string): readonly Partition[] => {
    const found = partitions(topic);
    if (found.length === 0) throw new PermanentError(`The log has no topic ${topic}. Create it first.`);
    return found;
  };

  return {
    /** The partitions of a topic, by number; empty where the topic does not exist. */
    partitions,

    createTopics: (specs: readonly TopicSpec[]): void =>
      transact(database, () => {
        for (const { name, partitions: count, retentionMs } of specs) {
          if (sql.createTopic.run(name, retentionMs).changes === 0) continue;
          for (let partition = 0; partition < count; partition += 1) sql.createPartition.run(name, partition);
        }
      }),

    /** All of the records, or none. @throws {PermanentError} where a topic does not exist. */
    append: (records: readonly NewRecord[], now: number): readonly Place[] =>
      transact(database, () => appendRecords(sql, existing, records, now)),

    /** @throws {PermanentError} where the partition does not exist. */
    // One transaction: between two statements a truncation could make a hole that the batch would not show.
    read: ({ topic, partition, from, to, maxRecords }: RecordRange): Batch =>
      snapshot(database, () => {
        const found = existing(topic)[partition];
        if (!found) throw new PermanentError(`The topic ${topic} has no partition ${partition}.`);
        const { id, earliest, latest } = found;
        const start = Math.max(from, earliest);
        const end = Math.max(start, Math.min(to, latest, start + maxRecords));
        const records: LogRecord[] = [];
        let bytes = 0;
        let [told, headers]: [string | null, LogRecord['headers']] = [null, NO_HEADERS];
        for (let first = start; first < end; first += ROWS) {
          const last = Math.min(end, first + ROWS);
          const rows = sql.records.all(
            id * SPAN + first,
            id * SPAN + last,
          ) as unknown as readonly RecordRow[];
          for (const [rowId, key, value, text, timestamp] of rows) {
            const position = rowId - id * SPAN;
            // Most records have the headers of the one before, and share them with it.
            if (text !== told) [told, headers] = [text, headersOf(text)];
            records.push({ topic, partition, position, key, value, headers, timestamp });
            bytes += (value?.length ?? 0) + (key?.length ?? 0) + (text?.length ?? 0);
            if (bytes >= BATCH_BYTES) return { from: start, next: position + 1, records };
          }
        }
        return { from: start, next: end, records };
      }),

    /** Raises a partition's earliest position; its records below it are out of reach from then on. */
    raiseEarliest: ({ id }: Partition, before: Position): void => {
      sql.raiseEarliest.run(before, id);
    },

    /** Deletes at most `limit` of the records that are out of reach, and says how many. */
    deleteUnreachable: ({ id }: Partition, limit: number): number =>
      Number(sql.deleteUnreachable.run(id, limit).changes),

    /** How long a topic's records are kept; null for ever, undefined where it does not exist. */
    retention: (topic: string): number | null | undefined =>
      (sql.retention.get(topic) as { readonly retentionMs: number | null } | undefined)?.retentionMs,

    /** Topics whose records are not kept for ever. */
    retained: () => sql.retained.all() as unknown as readonly { name: string; retentionMs: number }[],

    /** The first position to keep, if records older than `before` are not. */
    firstKept: ({ id, earliest, latest }: Partition, before: number): Position => {
      const kept = sql.firstSince.get(id * SPAN + earliest, id * SPAN + latest, before);
      return kept ? Number(kept['id']) - id * SPAN : latest;
    },

    /** Differs from the last answer where another connection has committed something since. */
    dataVersion: (): number => Number(sql.dataVersion.get()?.['data_version']),
  };
}

/** As `Statements.records` selects them: id, key, value, headers, timestamp. */
type RecordRow = readonly [number, string | null, Uint8Array | null, string | null, number];

const NO_HEADERS: Readonly<Record<string, string>> = Object.freeze({});

function headersOf(text: string | null): Readonly<Record<string, string>> {
  return text === null ? NO_HEADERS : (JSON.parse(text) as Record<string, string>);
}

/** Appends records behind the ends of their partitions. Part of a transaction. */
function appendRecords(
  sql: Statements,
  partitionsOf: (topic: string) => readonly Partition[],
  records: readonly NewRecord[],
  now: number,
): readonly Place[] {
  const topics = new Map<string, Tail[]>();
  const places = records.map(({ topic, key, value, headers }) => {
    let tails = topics.get(topic);
    if (!tails) topics.set(topic, (tails = partitionsOf(topic).map((partition) => tailOf(partition, now))));
    const tail = tails[partitionOf(key, tails.length)] as Tail;
    const position = tail.latest;
    const told = Object.keys(headers).length === 0 ? null : JSON.stringify(headers);
    sql.insert.run(tail.id * SPAN + position, key, value, told, tail.timestamp);
    tail.latest += 1;
    return { topic, partition: tail.partition, position };
  });
  for (const tail of [...topics.values()].flat()) {
    if (tail.latest > tail.before) sql.advance.run(tail.latest, tail.timestamp, tail.id);
  }
  return places;
}

type Tail = ReturnType<typeof tailOf>;

/** A partition's end while records are appended to it. */
function tailOf({ id, partition, latest, newest }: Partition, now: number) {
  return { id, partition, before: latest, latest, timestamp: Math.max(now, newest) };
}

/**
 * A record's id is its partition's id * 2^40 + its position, so a partition is one run of the table's tree: appending
 * and reading touch neighbouring pages. Ids stay exact numbers (below 2^53) for 8,191 partitions of 2^40 records.
 */
const SPAN = 2 ** 40;

export function readSchema() {
  return { version: 1, sql: readFileSync(new URL('schema.sql', import.meta.url), 'utf8') };
}

type Statements = Readonly<Record<StatementName, StatementSync>>;

function prepare(database: DatabaseSync): Statements {
  const names = Object.keys(STATEMENTS) as StatementName[];
  const statements = names.map((name) => [name, database.prepare(STATEMENTS[name])] as const);
  const prepared = Object.fromEntries(statements) as Statements;
  // Rows of many records: an object for each takes longer than the record itself.
  prepared.records.setReturnArrays(true);
  return prepared;
}

const STATEMENTS = {
  partitions:
    'SELECT id, partition, earliest, latest, newest FROM partitions WHERE topic = ? ORDER BY partition',
  createTopic: 'INSERT INTO topics (name, retention_ms) VALUES (?, ?) ON CONFLICT DO NOTHING',
  createPartition: 'INSERT INTO partitions (topic, partition) VALUES (?, ?)',
  insert: 'INSERT INTO records (id, key, value, headers, timestamp) VALUES (?, ?, ?, ?, ?)',
  advance: 'UPDATE partitions SET latest = ?, newest = ? WHERE id = ?',
  records: 'SELECT id, key, value, headers, timestamp FROM records WHERE id >= ? AND id < ? ORDER BY id',
  raiseEarliest: 'UPDATE partitions SET earliest = max(earliest, ?) WHERE id = ?',
  deleteUnreachable: `DELETE FROM records WHERE id IN (
    SELECT records.id FROM partitions JOIN records
      ON records.id >= partitions.id * ${SPAN} AND records.id < partitions.id * ${SPAN} + partitions.earliest
    WHERE partitions.id = ? LIMIT ?)`,
  retention: 'SELECT retention_ms AS retentionMs FROM topics WHERE name = ?',
  retained: 'SELECT name, retention_ms AS retentionMs FROM topics WHERE retention_ms IS NOT NULL',
  firstSince: 'SELECT id FROM records WHERE id >= ? AND id < ? AND timestamp >= ? ORDER BY id LIMIT 1',
  dataVersion: 'PRAGMA data_version',
};

type StatementName = keyof typeof STATEMENTS;
