import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

import { expect, test } from 'vitest';

import { openSqlite } from '../../../../../src/platform/sqlite/open-database.ts';
import { searchFile } from '../../../../../src/stores/search/sqlite/search-file.ts';
import { temporaryFolder } from '../../../../support/folder.ts';

const folder = temporaryFolder();

/** Holds the write lock, says so, and lets go after the milliseconds given. */
const HOLDER = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { DatabaseSync } = require('node:sqlite');
  const database = new DatabaseSync(workerData.path);
  database.exec('BEGIN IMMEDIATE');
  parentPort.postMessage('held');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, workerData.ms);
  database.exec('COMMIT');
  database.close();
`;

test('the time that opening takes is not taken from the patience with another connection’s write', async () => {
  const path = join(folder, 'search.db');
  openSqlite(path, { durability: 'normal', busyMs: 0 }).close();
  const holder = new Worker(HOLDER, { eval: true, workerData: { path, ms: 600 } });
  await once(holder, 'message');
  const connection = searchFile({ path, patienceMs: 300 });
  let attempts = 0;
  // Opening waits for the holder to let go; then the lock is taken once more.
  await connection.change(() => {
    attempts += 1;
    if (attempts === 1) throw Object.assign(new Error('database is locked'), { errcode: 5 });
  });
  expect(attempts).toBe(2);
  connection.close();
  await holder.terminate();
});
