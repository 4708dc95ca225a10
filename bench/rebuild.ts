import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { compose, type Parts } from '../src/compose/parts.ts';
import { readConfig } from '../src/config.ts';
import { createMetrics } from '../src/platform/metrics.ts';
import type { Projection } from '../src/projecting/engine/projection.ts';
import { createProjectorMetrics } from '../src/projecting/engine/projector-metrics.ts';
import { Projector, type ProjectorParts } from '../src/projecting/engine/projector.ts';
import { readProgress } from '../src/projecting/inspect/progress.ts';
import { listings } from '../projections/listings/index.ts';
import { install, type Installation } from '../test/support/process.ts';
import { simulate } from './catalog.ts';
import { shown, type Benchmark, type BenchmarkOptions, type Figure } from './report.ts';

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
/** Of all read models; those of listings are about seven of ten. */
const EVENTS = 1_400_000;
const PEER_RECORDS = 150_000;
const LEAST_PER_SECOND = 15_000;
const HIDDEN: NonNullable<ProjectorParts['gate']> = {
  isLive: () => false,
  pauseOf: () => null,
  look: async () => undefined,
};

async function run({ say }: BenchmarkOptions): Promise<readonly Figure[]> {
  await using installation = await install({ CATALOG_SAMPLE: 'off' });
  await fill(installation, say);
  await using parts = await compose(readConfig(installation.env), 'bench');
  say('one batch after the other');
  const peer = await fold(parts, { ...listings, build: 'peer' }, { oneByOne: true }, PEER_RECORDS);
  say('many batches at a time');
  const built = await fold(parts, { ...listings, build: 'built' }, { gate: HIDDEN }, Infinity);
  const [perEvent, peers] = [built, peer].map(({ cpuMs, records }) => (1000 * cpuMs) / records);
  return [
    {
      name: `events per second, ${built.records} events`,
      value: shown(built.records / built.seconds),
      goal: `at least ${LEAST_PER_SECOND} on a quiet machine`,
      verdict: built.records / built.seconds >= LEAST_PER_SECOND ? 'met' : 'missed',
    },
    informing('processor time an event, µs', shown(perEvent ?? 0)),
    informing('the same, one batch after the other', shown(peers ?? 0)),
    informing('memory of the process afterwards, MB', shown(process.memoryUsage().rss / 1e6)),
  ];
}

function informing(name: string, value: string): Figure {
  return { name, value, goal: '-', verdict: 'for information' };
}

async function fill(installation: Installation, say: BenchmarkOptions['say']): Promise<void> {
  say(`simulating ${EVENTS} events on ${ENTRIES} entries`);
  const file = join(installation.folder, 'events.ndjson');
  await simulate(installation, file, ['--entries', ENTRIES, '--events', EVENTS, '--seed', 1]);
  const published = await installation.catalog(['publish', file, '--json']);
  if (published.code !== 0) throw new Error(published.stderr);
}

interface Folded {
  readonly records: number;
  readonly seconds: number;
  readonly cpuMs: number;
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
  for (;;) {
    const lanes = await readProgress({ log, documents, topicName, projections: [projection] });
    const consumed = lanes.reduce((sum, { position }) => sum + (position ?? 0), 0);
    if (consumed >= records || lanes.every(({ lag }) => lag === 0)) {
      const { user, system } = process.cpuUsage(cpuBefore);
      return {
        records: consumed,
        seconds: (clock.monotonic() - began) / 1000,
        cpuMs: (user + system) / 1000,
      };
    }
    await pause(100);
  }
}
