import type { DatabaseSync, StatementSync } from '../../../platform/sqlite/sqlite.ts';

/**
 * A record's id is its partition's id * 2^40 + its position, so a partition is one run of the table's tree: appending
 * and reading touch neighbouring pages. Ids stay exact numbers (below 2^53) for 8,191 partitions of 2^40 records.
 */
export const SPAN = 2 ** 40;

export const SCHEMA = {
  version: 1,
  sql: `
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
`,
};

export type Statements = Readonly<Record<StatementName, StatementSync>>;

export function prepare(database: DatabaseSync): Statements {
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
