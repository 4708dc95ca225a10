import { setTimeout as pause } from 'node:timers/promises';

import { compose, type Parts } from '../src/compose/parts.ts';
import { readConfig } from '../src/config.ts';
import { createMetrics } from '../src/platform/metrics.ts';
import { collectionOf, type Projection } from '../src/projecting/engine/projection.ts';
import { createProjectorMetrics } from '../src/projecting/engine/projector-metrics.ts';
import { Projector, type ProjectorParts } from '../src/projecting/engine/projector.ts';
import { readProgress } from '../src/projecting/inspect/progress.ts';
import { SearchFeed } from '../src/projecting/search/feed.ts';
import { countMarks } from '../src/stores/outbox.ts';
import { listings } from '../projections/listings/index.ts';
import { install } from '../test/support/process.ts';
import { fillLog } from './filling.ts';
import { informing, shown, type Benchmark, type BenchmarkOptions, type Figure } from './report.ts';

/**
 * A rebuild of listings on the embedded default: the documents alone, as a build that nobody sees yet. The peer is the same
 * engine that writes each batch of 2,000 by itself, over the first part of the same log.
 */
export const rebuild: Benchmark = {
  name: 'rebuild',
  title: 'A rebuild of 100,000 listings from a million events',
  run,
};

const ENTRIES = 100_000;
const EVENTS = 1_000_000;
const PEER_RECORDS = 150_000;
const LEAST_PER_SECOND = 40_000;
const FAILS_BELOW = 15_000;
const MOST_MEMORY_MB = 700;
const BUILT = { ...listings, build: 'built' } as Projection;
const HIDDEN: NonNullable<ProjectorParts['gate']> = {
  isLive: () => false,
  pauseOf: () => null,
  look: async () => undefined,
};

async function run({ say }: BenchmarkOptions): Promise<readonly Figure[]> {
  await using installation = await install({ CATALOG_SAMPLE: 'off' });
  say(`making ${EVENTS} events on ${ENTRIES} entries`);
  await fillLog(installation, { entries: ENTRIES, events: EVENTS, withProbes: false });
  await using parts = await compose(readConfig(installation.env), 'bench');
  const tenth = await smaller(say);
  say('one batch after the other');
  const peer = await fold(parts, { ...listings, build: 'peer' }, { oneByOne: true }, PEER_RECORDS);
  say('many batches at a time');
  const built = await fold(parts, BUILT, { gate: HIDDEN }, Infinity);
  say('filling the index');
  const indexed = await index(parts);
  const rate = built.records / built.seconds;
  const [perEvent, peers] = [built, peer].map(({ cpuMs, records }) => (1000 * cpuMs) / records);
  return [
    {
      name: `events per second, ${built.records} events`,
      value: shown(rate),
      goal: `at least ${LEAST_PER_SECOND} on a quiet machine, fails below ${FAILS_BELOW}`,
      verdict: rate >= LEAST_PER_SECOND ? 'met' : 'missed',
    },
    {
      name: 'most memory of the process while it builds, MB',
      value: shown(built.memory / 1e6),
      goal: `at most ${MOST_MEMORY_MB}`,
      verdict: built.memory / 1e6 <= MOST_MEMORY_MB ? 'met' : 'missed',
    },
    {
      name: 'P7: events per second, the second half to the first',
      value: shown(built.halves),
      goal: 'at least 0.9, fails below 0.75',
      verdict: built.halves >= 0.9 ? 'met' : built.halves >= 0.75 ? 'missed' : 'failed',
    },
    {
      name: 'P7: most memory, to that for a tenth of the log',
      value: shown(built.memory / tenth.memory),
      goal: 'at most 1.3',
      verdict: built.memory / tenth.memory <= 1.3 ? 'met' : 'missed',
    },
    informing('processor time an event, µs', shown(perEvent ?? 0)),
    informing('the same, one batch after the other', shown(peers ?? 0)),
    informing(
      `the index apart: entries per second, ${indexed.records} entries`,
      shown(indexed.records / indexed.seconds),
    ),
    informing('the same: processor time an entry, µs', shown((1000 * indexed.cpuMs) / indexed.records)),
  ];
}

/** A tenth of the log, on as many entries. */
async function smaller(say: BenchmarkOptions['say']): Promise<Folded> {
  await using installation = await install({ CATALOG_SAMPLE: 'off' });
  say('a tenth of the log');
  await fillLog(installation, { entries: ENTRIES, events: EVENTS / 10, withProbes: false });
  await using parts = await compose(readConfig(installation.env), 'bench');
  return await fold(parts, BUILT, { gate: HIDDEN }, Infinity);
}

interface Folded {
  readonly records: number;
  readonly seconds: number;
  readonly cpuMs: number;
  /** The most that was seen, in bytes. */
  readonly memory: number;
  /** How fast the second half was, to the first. */
  readonly halves: number;
}

/** Folds until so many records are consumed, or all of them. */
async function fold(
  parts: Parts,
  projection: Projection,
  how: Partial<ProjectorParts>,
  records: number,
): Promise<Folded> {
  const { log, documents, clock, logger, decode, topicName } = parts;
  const [began, cpuBefore] = [clock.monotonic(), process.cpuUsage()];
  await using projector = new Projector({
    log,
    documents,
    clock,
    logger,
    decode,
    topicName,
    projections: [projection],
    metrics: createProjectorMetrics(createMetrics()),
    rejectedTopic: 'catalog.rejected',
    ...how,
  });
  await projector.start();
  const ends = await readProgress({ log, documents, topicName, projections: [projection] });
  const all = Math.min(
    records,
    ends.reduce((sum, { lag }) => sum + lag, 0),
  );
  let memory = 0;
  /** When half of it was there, and how much that was: whole passes are written. */
  let half: { readonly at: number; readonly consumed: number } | null = null;
  for (;;) {
    memory = Math.max(memory, process.memoryUsage.rss());
    const lanes = await readProgress({ log, documents, topicName, projections: [projection] });
    const consumed = lanes.reduce((sum, { position }) => sum + (position ?? 0), 0);
    if (consumed >= all / 2) half ??= { at: clock.monotonic(), consumed };
    if (consumed >= records || lanes.every(({ lag }) => lag === 0)) {
      const { user, system } = process.cpuUsage(cpuBefore);
      const ended = clock.monotonic();
      const first = half ?? { at: ended, consumed };
      const halves = (consumed - first.consumed) / (ended - first.at) / (first.consumed / (first.at - began));
      return {
        records: consumed,
        seconds: (ended - began) / 1000,
        cpuMs: (user + system) / 1000,
        memory,
        halves,
      };
    }
    await pause(100);
  }
}

/** Tells the index of every document that was built. */
async function index({
  documents,
  search,
  clock,
  logger,
}: Parts): Promise<Omit<Folded, 'memory' | 'halves'>> {
  const waiting = async (): Promise<number> => (await countMarks(documents, collectionOf(BUILT))).put;
  const records = await waiting();
  const [began, cpuBefore] = [clock.monotonic(), process.cpuUsage()];
  await using feed = new SearchFeed({ documents, search, projection: BUILT, clock, logger });
  feed.start();
  while ((await waiting()) > 0) await pause(100);
  const { user, system } = process.cpuUsage(cpuBefore);
  return { records, seconds: (clock.monotonic() - began) / 1000, cpuMs: (user + system) / 1000 };
}
