import { listings } from '../projections/listings/index.ts';
import { compose } from '../src/compose/parts.ts';
import { readConfig } from '../src/config.ts';
import { install, type Installation } from '../test/support/process.ts';
import { fillLog } from './filling.ts';
import { ask } from './projecting/ask.ts';
import { feedAll } from './projecting/feed-all.ts';
import type { Built } from './projecting/messages.ts';
import { informing, shown, type Benchmark, type BenchmarkOptions, type Figure } from './report.ts';
import { rateVerdict } from './verdict.ts';

/**
 * A rebuild of listings on the embedded default: the documents alone, as a build that nobody sees yet, in a process of its own.
 * The peer is the same engine that writes each batch of 2,000 by itself, over the first part of the same log.
 */
export const rebuild: Benchmark = {
  name: 'rebuild',
  rows: ['P7', 'P16'],
  title: 'A rebuild of 100,000 listings from a million events',
  run,
};

const ENTRIES = 100_000;
const EVENTS = 1_000_000;
const PEER_RECORDS = 150_000;
const LEAST_PER_SECOND = 40_000;
const FAILS_BELOW = 15_000;
const MOST_MEMORY_MB = 700;
const BUILD = 'built';

async function run({ say }: BenchmarkOptions): Promise<readonly Figure[]> {
  await using installation = await install({ CATALOG_SAMPLE: 'off' });
  say(`making ${EVENTS} events on ${ENTRIES} entries`);
  await fillLog(installation, { entries: ENTRIES, events: EVENTS, withProbes: false });
  const tenth = await smaller(say);
  say('one batch after the other');
  const peer = await built('peer', installation, PEER_RECORDS);
  say('many batches at a time');
  const whole = await built(BUILD, installation);
  say('filling the index');
  await using parts = await compose(readConfig(installation.env), 'bench');
  const indexed = await feedAll(parts, { ...listings, build: BUILD });
  const rate = whole.records / whole.seconds;
  const [perEvent, peers] = [whole, peer].map(({ cpuMs, records }) => (1000 * cpuMs) / records);
  return [
    {
      name: `events per second, ${whole.records} events`,
      value: shown(rate),
      goal: `at least ${LEAST_PER_SECOND} on a quiet machine, fails below ${FAILS_BELOW}`,
      verdict: rateVerdict(rate, perEvent ?? 0, { goal: LEAST_PER_SECOND, fails: FAILS_BELOW }),
    },
    {
      name: 'most memory of the process while it builds, MB',
      value: shown(whole.peak / 1e6),
      goal: `at most ${MOST_MEMORY_MB}`,
      verdict: whole.peak / 1e6 <= MOST_MEMORY_MB ? 'met' : 'missed',
    },
    {
      name: 'P7: events per second, the second half to the first',
      value: shown(whole.halves),
      goal: 'at least 0.9, fails below 0.75',
      verdict: whole.halves >= 0.9 ? 'met' : whole.halves >= 0.75 ? 'missed' : 'failed',
    },
    {
      name: 'P7: most memory, to that for a tenth of the log',
      value: shown(whole.peak / tenth.peak),
      goal: 'at most 1.3',
      verdict: whole.peak / tenth.peak <= 1.3 ? 'met' : 'missed',
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
async function smaller(say: BenchmarkOptions['say']): Promise<Built> {
  await using installation = await install({ CATALOG_SAMPLE: 'off' });
  say('a tenth of the log');
  await fillLog(installation, { entries: ENTRIES, events: EVENTS / 10, withProbes: false });
  return await built(BUILD, installation);
}

/** With a number of records: one batch after the other, until it has so many. */
async function built(
  build: string,
  { env }: Pick<Installation, 'env'>,
  records: number | null = null,
): Promise<Built> {
  return await ask<Built>('build.ts', [build, ...(records === null ? [] : [String(records)])], env);
}
