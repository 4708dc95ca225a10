import { PermanentError } from '../../../platform/errors.ts';
import { type Access, type DatabaseSync, openSqlite, type StatementSync } from '../../../platform/sqlite.ts';
import { snapshot, transact } from '../../../platform/sqlite-transactions.ts';
import { partitionOf } from '../partition.ts';
import type { Batch, LogRecord, NewRecord, Place, Position, TopicSpec } from '../port.ts';

/** The file of the SQLite log: its tables, and every statement over records. Synchronous; each call is one transaction. */

/**
 * A record's id is its partition's id * 2^40 + its position, so a partition is one run of the table's tree: appending
 * and reading touch neighbouring pages. Ids stay exact numbers (below 2^53) for 8,191 partitions of 2^40 records.
 */
const SPAN = 2 ** 40;

const SCHEMA = `
  CREATE TABLE topics (name TEXT PRIMARY KEY, retention_ms INTEGER) STRICT, WITHOUT ROWID;
  CREATE TABLE partitions (
    id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 8191),
    topic TEXT NOT NULL REFERENCES topics (name),
    partition INTEGER NOT NULL,
    earliest INTEGER NOT NULL DEFAULT 0,
    latest INTEGER NOT NULL DEFAULT 0,
    newest INTEGER NOT NULL DEFAULT 0,
    UNIQUE (topic, partition)
  ) STRICT;
  CREATE TABLE records (
    id INTEGER PRIMARY KEY, key TEXT, value BLOB, headers TEXT, timestamp INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE leases (
    group_name TEXT PRIMARY KEY, member TEXT NOT NULL, host TEXT NOT NULL, pid INTEGER NOT NULL,
    started INTEGER NOT NULL, expires INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  PRAGMA user_version = 1;
`;

/** A batch ends early once its values pass this many bytes, so that large records do not fill the memory. */
const BATCH_BYTES = 4 * 1024 * 1024;

export interface Partition {
  readonly id: number;
  readonly partition: number;
  readonly earliest: Position;
  readonly latest: Position;
  /** The timestamp of the newest record: timestamps never fall, even where the machine's clock does. */
  readonly newest: number;
}

export interface RecordRange {
  readonly topic: string;
  readonly partition: number;
  readonly from: Position;
  /** Not included. */
  readonly to: Position;
  readonly maxRecords: number;
}

export interface LogFile {
  readonly database: DatabaseSync;
  /** The partitions of a topic, by number; empty where the topic does not exist. */
  partitions(topic: string): readonly Partition[];
  createTopics(specs: readonly TopicSpec[]): void;
  /** All of the records, or none. @throws {PermanentError} where a topic does not exist. */
  append(records: readonly NewRecord[], now: number): readonly Place[];
  /** @throws {PermanentError} where the partition does not exist. */
  read(range: RecordRange): Batch;
  /** Raises a partition's earliest position; its records below it are out of reach from then on. */
  raiseEarliest(partition: Partition, before: Position): void;
  /** Deletes at most `limit` of the records that are out of reach, and says how many. */
  deleteUnreachable(partition: Partition, limit: number): number;
  /** How long a topic's records are kept; null for ever, undefined where it does not exist. */
  retention(topic: string): number | null | undefined;
  /** Topics whose records are not kept for ever. */
  retained(): readonly { readonly name: string; readonly retentionMs: number }[];
  /** The first position to keep, if records older than `before` are not; looks at the `limit` oldest records. */
  firstKept(partition: Partition, before: number, limit: number): Position;
  /** Differs from the last answer where another connection has committed something since. */
  dataVersion(): number;
}

/** Opens the file; with `create`, makes its tables where they are missing. `busyMs` and `access` as in `openSqlite`. */
export function openLogFile(path: string, busyMs: number, access?: Access): LogFile {
  const database = openSqlite(path, { access, durability: 'full', busyMs: 5000 });
  try {
    migrate(database, path);
    database.exec(`PRAGMA busy_timeout = ${busyMs}`);
    return logFile(database);
  } catch (thrown) {
    database.close();
    throw thrown;
  }
}

function migrate(database: DatabaseSync, path: string): void {
  const versionOf = (): unknown => database.prepare('PRAGMA user_version').get()?.['user_version'];
  if (versionOf() === 0) {
    transact(database, () => {
      // Another process may have made the tables while this one waited for the lock.
      if (versionOf() === 0) database.exec(SCHEMA);
    });
  }
  if (versionOf() !== 1) throw new PermanentError(`${path} was made by a newer release. Run that release.`);
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

function prepare(database: DatabaseSync): Record<StatementName, StatementSync> {
  const names = Object.keys(STATEMENTS) as StatementName[];
  return Object.fromEntries(names.map((name) => [name, database.prepare(STATEMENTS[name])])) as Record<
    StatementName,
    StatementSync
  >;
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

interface RecordRow {
  readonly id: number;
  readonly key: string | null;
  readonly value: Uint8Array | null;
  readonly headers: string | null;
  readonly timestamp: number;
}

function toRecord(row: RecordRow, topic: string, partition: number, partitionId: number): LogRecord {
  return {
    topic,
    partition,
    position: row.id - partitionId * SPAN,
    key: row.key,
    value: row.value,
    headers: headersFromText(row.headers),
    timestamp: row.timestamp,
  };
}

const NO_HEADERS: Readonly<Record<string, string>> = Object.freeze({});

function headersToText(headers: Readonly<Record<string, string>>): string | null {
  const text = JSON.stringify(headers);
  return text === '{}' ? null : text;
}

function headersFromText(text: string | null): Readonly<Record<string, string>> {
  return text === null ? NO_HEADERS : (JSON.parse(text) as Record<string, string>);
}
