import { onTestFinished } from 'vitest';

import { listings } from '../../projections/listings/index.ts';
import { createDecoder } from '../../src/events/decode.ts';
import type { CloudEvent } from '../../src/events/envelope.ts';
import type { Log, LogRecord } from '../../src/events/log/port.ts';
import { openSqliteLog } from '../../src/events/log/sqlite.ts';
import { structuredRecord } from '../../src/events/structured-record.ts';
import { EVENT_TYPES } from '../../src/events/types.ts';
import type { Projection } from '../../src/projecting/engine/projection.ts';
import { decisionsOf } from '../../src/projecting/replay/decisions.ts';
import { historyOf } from '../../src/projecting/replay/history.ts';
import { recordsOf } from '../../src/projecting/replay/records.ts';
import type { Replay } from '../../src/projecting/replay/replay.ts';
import { asShadow, replayInto } from '../../src/projecting/replay/replay-into.ts';
import { spanOf, type Bound } from '../../src/projecting/replay/span.ts';
import type { Documents } from '../../src/stores/documents/port.ts';
import { openSqliteDocuments } from '../../src/stores/documents/sqlite.ts';
import type { Shadow } from '../../src/stores/shadows.ts';
import { disorderlyHistory } from './histories.ts';
import { fakeClock } from './sqlite-log.ts';
import { temporaryPath } from './temporary-path.ts';

/** A log whose own time goes on with each portion that is appended, and now and then is set back; and documents. */
export interface ReplayStage {
  readonly log: Log;
  readonly documents: Documents;
  /** Of the log's files: the log, the documents. */
  readonly paths: { readonly log: string; readonly documents: string };
  /** Every record of the listings' topics, in no particular order. */
  readonly records: readonly LogRecord[];
  /** Unix milliseconds, of the log's clock. */
  readonly now: number;
}

export const decode = createDecoder(EVENT_TYPES);
const BEGIN = Date.UTC(2026, 0, 2);
const PORTION_MS = 60_000;

export async function openReplayStage(events = 1500): Promise<ReplayStage> {
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
  const records: LogRecord[] = [];
  const history = await historyOf(log, listings.topics);
  for (const held of history.partitions)
    for await (const batch of history.read(held, held.earliest, new AbortController().signal))
      records.push(...batch.records);
  return { log, documents, paths, records, now: clock.time + 10 * PORTION_MS };
}

function newFile(name: string): string {
  const { path, remove } = temporaryPath(name);
  onTestFinished(remove);
  return path;
}

export interface Asked extends Partial<Pick<Replay, 'keeps' | 'held'>> {
  readonly name: string;
  readonly projection?: Projection;
  readonly from?: Bound;
  readonly until?: Bound;
  readonly documents?: Documents;
  readonly signal?: AbortSignal;
  readonly build?: string;
}

/** Replays a part of the stage's log, as the command does. */
export async function replayed(
  { log, documents, now }: Pick<ReplayStage, 'log' | 'documents' | 'now'>,
  asked: Asked,
): Promise<Shadow> {
  const { name, projection = listings as Projection, keeps = () => true, build = null } = asked;
  const { signal = new AbortController().signal, from = null, until = null } = asked;
  const history = await historyOf(log, projection.topics);
  const span = await spanOf(history, { from, until, now, signal });
  const decisions = await decisionsOf(documents, build);
  return await replayInto(
    { documents: asked.documents ?? documents, decode, signal },
    {
      projection: asShadow(projection, name),
      told: { source: 'log', from: span.from, until: span.until, where: {}, formula: null },
      isCut: false,
      portions: () => recordsOf(history, { span, decisions, signal }),
      keeps,
      ...(asked.held !== undefined && { held: asked.held }),
    },
  );
}

/** What stands in a collection, by id. */
export async function bodiesOf(documents: Documents, collection: string): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>();
  for await (const batch of documents.scan(collection))
    for (const { id, body } of batch) found.set(id, body);
  return found;
}
