import { setImmediate } from 'node:timers/promises';

import { createQuota, type Quota } from '../../src/access/quota/quota.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import { retryWhileBusy } from '../../src/platform/sqlite-transactions.ts';
import { openSqlite } from '../../src/platform/sqlite-opening.ts';
import { openSqliteDocuments } from '../../src/stores/documents/sqlite.ts';
import type { Counted, Run } from './messages.ts';

/** A process that counts requests, as an instance of the API would, in one of two ways. */

interface Way {
  /** Whether the request is granted. */
  count(key: string, givesBack: boolean): Promise<boolean>;
  operations(): Promise<number>;
}

const [, , folder = ''] = process.argv;
const ways = new Map<string, Promise<Way>>();

process.on('message', (message: Run) => {
  void run(message).then((counted) => process.send?.(counted));
});
process.on('disconnect', () => process.exit(0));

async function run({ how, keys, atOnce, durationMs, requests, limit, givesBack }: Run): Promise<Counted> {
  const name = `${how} ${limit}`;
  const opening = ways.get(name) ?? (how === 'allotments' ? openAllotments(limit) : openIncrements(limit));
  ways.set(name, opening);
  const way = await opening;
  const before = await way.operations();
  const startedAt = performance.now();
  let sent = 0;
  let granted = 0;
  async function caller(): Promise<void> {
    while (sent < requests && performance.now() - startedAt < durationMs) {
      sent += 1;
      // Few keys or many, each as often as the others.
      if (await way.count(keys[sent % keys.length] ?? '', givesBack)) granted += 1;
      // The next request arrives in another turn of the event loop, as from a socket.
      await setImmediate();
    }
  }
  await Promise.all(Array.from({ length: atOnce }, caller));
  const tookMs = performance.now() - startedAt;
  return { requests: sent, granted, operations: (await way.operations()) - before, tookMs };
}

async function openAllotments(limit: number): Promise<Way> {
  const documents = openSqliteDocuments(`${folder}/documents.db`);
  const metrics = createMetrics();
  const quota: Quota = createQuota({ documents, clock: systemClock, limit, metrics });
  await quota.declare();
  return {
    async count(key, givesBack) {
      const take = await quota.take(key, key);
      if (givesBack && take.granted) await quota.giveBack(take);
      return take.granted;
    },
    async operations() {
      const counter = await metrics.getSingleMetric('catalog_quota_store_operations_total')?.get();
      return (counter?.values ?? []).reduce((sum, { value }) => sum + value, 0);
    },
  };
}

/** The plainest exact way: the store decides each request, in one statement. */
async function openIncrements(limit: number): Promise<Way> {
  const database = openSqlite(`${folder}/increments.db`, { durability: 'normal', busyMs: 10 });
  const patience = { clock: systemClock, patienceMs: 5000 };
  await retryWhileBusy(
    () => database.exec('CREATE TABLE IF NOT EXISTS used (id TEXT PRIMARY KEY, count INTEGER) WITHOUT ROWID'),
    patience,
  );
  const increment = database.prepare(
    `INSERT INTO used VALUES (?, 1) ON CONFLICT DO UPDATE SET count = count + 1 WHERE count < ${limit}`,
  );
  let operations = 0;
  return {
    async count(key) {
      operations += 1;
      return (await retryWhileBusy(() => increment.run(`2026-11-20/${key}`), patience)).changes > 0;
    },
    operations: async () => operations,
  };
}
