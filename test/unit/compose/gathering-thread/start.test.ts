import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { createGatherer } from '../../../../src/compose/gathering-thread/start.ts';
import { createDecoder } from '../../../../src/events/decode.ts';
import type { CloudEvent } from '../../../../src/events/envelope.ts';
import type { LogRecord } from '../../../../src/events/log/port.ts';
import { METRICS } from '../../../../src/events/metrics.ts';
import { structuredRecord } from '../../../../src/events/structured-record.ts';
import { EVENT_TYPES } from '../../../../src/events/types.ts';
import { gatherHere, type Gatherer, type Gathering } from '../../../../src/projecting/engine/gatherer.ts';
import type { Gatherable } from '../../../../src/projecting/engine/gathering.ts';
import { listings } from '../../../../projections/listings/index.ts';
import { captureLog, type CapturedLog } from '../../../support/captured-log.ts';
import { measured } from '../../../support/events.ts';
import { disorderlyHistory } from '../../../support/histories.ts';
import { recordOfBytes } from '../../../support/records.ts';

/** Gathering beside the thread that writes: the same as in it, and in it where there is no other thread. */

const input = { topicPrefix: '' };
const decode = createDecoder(EVENT_TYPES, input);
const rest = (): Promise<void> => Promise.resolve();

const of = (type: string): string => JSON.stringify({ ...measured(), type });

/** A month of measurements as batches of 100, with records in it that nobody can use. */
const events = disorderlyHistory({ entries: 20, events: 900, seed: 7 }).map(
  (line) => JSON.parse(line) as CloudEvent,
);
const records = [
  ...events.map((event) => structuredRecord(event)).filter(({ topic }) => topic === METRICS),
  { ...structuredRecord(measured()), ...recordOfBytes(of('catalog.of.somebody.else')) },
  structuredRecord(measured({ a_field: 'that no schema knows' })),
  { ...recordOfBytes('{'), key: 'broken' },
  { ...recordOfBytes(''), value: null },
].map((record, position): LogRecord => {
  const value = record.value && Uint8Array.from(record.value);
  return { ...recordOfBytes(''), ...record, topic: METRICS, position, value };
});
const batches = Array.from({ length: Math.ceil(records.length / 100) }, (_, index): Gatherable => {
  const some = records.slice(index * 100, index * 100 + 100);
  return { records: some, next: index * 100 + some.length };
});
const unreadable = [
  {
    topic: METRICS,
    partition: 0,
    from: 3,
    to: 4,
    code: 'unreadable',
    reason: 'damaged',
    bytes: null,
    timestamp: 0,
  },
] as const;
batches[1] = { ...batches[1], records: batches[1]?.records ?? [], next: 200, unreadable };

let gatherer: Gatherer & AsyncDisposable;
let log: CapturedLog;
let restSpent = 0;
const pace = {
  rest: () => Promise.resolve(),
  restedMs: () => 0,
  spentElsewhere: (ms: number) => {
    restSpent += ms;
  },
};
beforeEach(() => {
  log = captureLog();
  gatherer = createGatherer({ input, logger: log.logger, pace });
});
afterEach(() => gatherer[Symbol.asyncDispose]());

async function begun(): Promise<Gathering> {
  return await vi.waitUntil(() => gatherer.begin(listings, 0), { timeout: 30_000 });
}

async function gathered(gathering: Gathering) {
  for (const batch of batches) await gathering.add(batch, rest);
  return await gathering.finish();
}

test('the thread gathers what this one would', async () => {
  const here = await gathered(gatherHere({ projection: listings, decode }, 0));
  expect(await gathered(await begun())).toEqual(here);
  expect(here).toMatchObject({
    unknownFields: 1,
    counts: { parked: 2 },
    skipped: new Map([
      ['unknown_type', 1],
      ['tombstone', 1],
    ]),
    next: records.length,
  });
  expect(here.unfoldables).toHaveLength(2);
  expect(restSpent).toBeGreaterThan(0);
});

test('two lanes gather at a time, and one that gives up leaves nothing to the other', async () => {
  const here = await gathered(gatherHere({ projection: listings, decode }, 0));
  const [one, other] = [await begun(), await begun()];
  for (const batch of batches) {
    await one.add(batch, rest);
    await other.add(batch, rest);
  }
  other.discard();
  expect(await one.finish()).toEqual(here);
});

test('until the thread is there, and for folds that it would not find, lanes gather in their own', async () => {
  expect(gatherer.begin(listings, 0)).toBeNull();
  await begun();
  const own = { ...listings, contribution: () => ({}) };
  expect(gatherer.begin(own, 0)).toBeNull();
  expect(gatherer.begin({ ...listings, version: 999 }, 0)).toBeNull();
});

test('a thread without work ends, and begins again where there is some', async () => {
  await gatherer[Symbol.asyncDispose]();
  gatherer = createGatherer({ input, logger: log.logger, keptMs: 300 });
  const gathering = await begun();
  // Time has to pass: whoever asks for the thread keeps it.
  await new Promise((resolve) => void setTimeout(resolve, 500));
  // It had work all the time.
  expect(await gathered(gathering)).toMatchObject({ next: records.length });
  await new Promise((resolve) => void setTimeout(resolve, 500));
  expect(gatherer.begin(listings, 0)).toBeNull();
  expect(await gathered(await begun())).toMatchObject({ next: records.length });
  expect(log.said()).toEqual([]);
});

test('where the thread breaks, what it had is gathered again, in this thread from then on', async () => {
  await gatherer[Symbol.asyncDispose]();
  const file = new URL('../../../support/dying-gatherer.ts', import.meta.url);
  gatherer = createGatherer({ input, logger: log.logger, file });
  const gathering = await begun();
  await expect(gathered(gathering)).rejects.toThrow('the thread broke');
  gathering.discard();
  expect(gatherer.begin(listings, 0)).toBeNull();
  expect(log.said()).toEqual(['error: the gathering thread has ended']);
});
