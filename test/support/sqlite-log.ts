import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import type { Log } from '../../src/events/log/port.ts';
import { openSqliteLog, type SqliteLogOptions } from '../../src/events/log/sqlite.ts';
import { openSqlite } from '../../src/platform/sqlite/open-database.ts';
import { freshTopic } from './log-fixture.ts';
import type { LogOpener } from './log-process.ts';
import { temporaryFolder } from './folder.ts';

/** How long to wait for what must happen soon, on a machine of any speed. */
export const settling = { settleMs: 30_000 };

/** A client that is disposed when the test has finished. */
export function openAt(path: string, options?: SqliteLogOptions): Log {
  const log = openSqliteLog(path, options);
  onTestFinished(() => log[Symbol.asyncDispose]());
  return log;
}

/** How another process opens the file. */
export function openerOf(path: string, options: SqliteLogOptions = {}): LogOpener {
  const module = new URL('../../src/events/log/sqlite.ts', import.meta.url).href;
  return { module, name: 'openSqliteLog', args: [path, options] };
}

/** Another connection to a file of SQLite, which holds its write lock until it is released. */
export function lock(path: string): () => void {
  const database = openSqlite(path, { durability: 'full', busyMs: 5000 });
  database.exec('BEGIN EXCLUSIVE');
  return () => {
    database.exec('ROLLBACK');
    database.close();
  };
}

/** A file that does not exist yet. */
export function newPath(): string {
  return join(temporaryFolder(), 'log.db');
}

/** A log in a file of its own, with a topic. */
export async function openNew(options?: SqliteLogOptions, partitions = 1) {
  const path = newPath();
  const log = openAt(path, options);
  return { path, log, topic: await freshTopic(log, partitions) };
}
