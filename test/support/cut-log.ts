import { openSqlite } from '../../src/platform/sqlite/open-database.ts';

/** Puts the records of a partition of a SQLite log that stand below a position out of reach, as retention does. */
export function cutLog(path: string, topic: string, partition: number, before: number): void {
  using database = openSqlite(path, { durability: 'full', busyMs: 5000 });
  database
    .prepare('UPDATE partitions SET earliest = ? WHERE topic = ? AND partition = ?')
    .run(before, topic, partition);
}
