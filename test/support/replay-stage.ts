import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import { listings } from '../../projections/listings/index.ts';
import type { CloudEvent } from '../../src/events/envelope.ts';
import type { LogRecord } from '../../src/events/log/port.ts';
import { openSqliteLog } from '../../src/events/log/sqlite.ts';
import { structuredRecord, EVENT_TYPES } from '../../src/events/event-types.ts';
import { historyOf } from '../../src/projecting/replay/history.ts';
import { openSqliteDocuments } from '../../src/stores/documents/sqlite.ts';
import { disorderlyHistory } from './histories.ts';
import { temporaryFolder } from './folder.ts';
import { fakeClock } from './test-clock.ts';

const BEGIN = Date.UTC(2026, 0, 2);
const PORTION_MS = 60_000;

/** A log whose own time goes on with each portion that is appended, and now and then is set back; and documents. */
export async function openReplayStage(events = 1500) {
  const paths = { log: newFile('log.db'), documents: newFile('documents.db') };
  const clock = fakeClock(BEGIN);
  const log = openSqliteLog(paths.log, { clock });
  const documents = openSqliteDocuments(paths.documents);
  onTestFinished(async () => {
    await log[Symbol.asyncDispose]();
    await documents[Symbol.asyncDispose]();
  });
  const topics = [...new Set(EVENT_TYPES.map(({ topic }) => topic))];
  await log.ensureTopics(topics.map((name) => ({ name, partitions: 3, retentionMs: null })));
  const lines = disorderlyHistory({ entries: 40, events, seed: 7 });
  const all = lines.map((line) => structuredRecord(JSON.parse(line) as CloudEvent));
  for (let start = 0; start < all.length; start += 25) {
    clock.time += PORTION_MS;
    // A clock that is put back: positions rise, and times do not.
    clock.jumpedMs = start % 200 === 100 ? -5 * PORTION_MS : 0;
    await log.append(all.slice(start, start + 25));
  }
  // Every one of the listings' topics, in no particular order.
  const records: LogRecord[] = [];
  const history = await historyOf(log, listings.topics);
  for (const held of history.partitions)
    for await (const batch of history.read(held, new AbortController().signal))
      records.push(...batch.records);
  return { log, documents, paths, records, now: clock.time + 10 * PORTION_MS };
}

function newFile(name: string): string {
  return join(temporaryFolder(), name);
}
