import { compose } from '../src/compose/parts.ts';
import { readConfig } from '../src/config.ts';
import { install } from '../test/support/process.ts';
import { fillLog } from './filling.ts';
import { feedAll } from './projecting/feed-all.ts';
import { BUILD, measureIn } from './projecting/measured.ts';
import { GOALS, REBUILD } from './goals.ts';
import { informing, plain, shown, type Benchmark, type BenchmarkOptions, type Figure } from './report.ts';
import { sizeOr } from './size.ts';
import { rateVerdict } from './verdict.ts';

/** A rebuild of listings on the embedded default: the documents alone, as a build that nobody sees yet, in a process of its own. */
export const rebuild: Benchmark = {
  name: 'rebuild',
  rows: ['P16'],
  isQuick: true,
  title: 'A rebuild of listings, ten events for each of them',
  run,
};

const FULL = { entries: 100_000, events: 1_000_000 };
const QUICK = { entries: 10_000, events: 100_000 };

async function* run({ quick, say }: BenchmarkOptions): AsyncGenerator<readonly Figure[]> {
  await using installation = await install({ CATALOG_SAMPLE: 'off' });
  const { entries, events } = sizeOr(quick ? QUICK : FULL);
  say(`making ${events} events on ${entries} entries`);
  await fillLog(installation, { entries, events, withProbes: false });
  say('building');
  const whole = await measureIn(installation.env, 'build');
  say('filling the index');
  await using parts = await compose(readConfig(installation.env), 'bench');
  const indexed = await feedAll(parts, BUILD);
  const rate = (1000 * whole.events) / whole.tookMs;
  const perEvent = (1000 * whole.cpuMs) / whole.events;
  yield [
    {
      name: `P16: events per second, ${whole.events} events`,
      value: shown(rate),
      goal: `at least ${REBUILD.goal} on a quiet machine, fails below ${REBUILD.fails}`,
      verdict: rateVerdict(rate, perEvent, REBUILD),
    },
    plain('P16: most memory of the process while it builds, MB', whole.peak / 1e6, GOALS['P16 memory']),
    informing('processor time an event, µs', shown(perEvent)),
    informing(
      `the index apart: entries per second, ${indexed.entries} entries`,
      shown((1000 * indexed.entries) / indexed.tookMs),
    ),
    informing('the same: processor time an entry, µs', shown((1000 * indexed.cpuMs) / indexed.entries)),
  ];
}
