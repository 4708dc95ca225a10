import { fillLog } from './filling.ts';
import { ask } from './projecting/ask.ts';
import type { Measured, Mode } from './projecting/messages.ts';
import { informing, shown, type Benchmark, type BenchmarkOptions, type Figure } from './report.ts';
import { sizeOr } from './size.ts';
import { median } from './statistics.ts';
import type { Stage } from './stores.ts';
import { rateVerdict } from './verdict.ts';

/**
 * Live projection, from a full log until the documents and the index have all of it; and until the documents alone have it, as the
 * peers of the same run: one event after the other with a guarded write each, and the same documents written in the same batches
 * without a log or a fold.
 */
export const projection: Benchmark = {
  name: 'projection',
  rows: ['P6', 'P15'],
  isQuick: true,
  on: 'both',
  title: 'Projecting 300,000 events on 20,000 listings, with the index',
  run,
};

const SIZE = sizeOr({ entries: 20_000, events: 300_000 });
/** A round takes a quarter of a minute on a quiet machine. */
const PAIRS_A_ROUND = 5;
const LEAST_PER_SECOND = 25_000;
const FAILS_BELOW = 10_000;
const MOST_US = 40;

async function run({ pairs, stores, say }: BenchmarkOptions): Promise<readonly Figure[]> {
  await using stage = await stores.install();
  say(`making ${SIZE.events} events on ${SIZE.entries} entries`);
  await fillLog(stage, { ...SIZE, withProbes: false });
  const measured: Record<Mode, Measured[]> = { projector: [], documents: [], naive: [], bare: [] };
  const rounds = Math.max(1, Math.floor(pairs / PAIRS_A_ROUND));
  for (let round = 0; round < rounds; round += 1) {
    // The order changes, but for the documents that are to be written: they are made first.
    const modes: readonly Mode[] =
      round % 2 === 0
        ? ['projector', 'documents', 'naive', 'bare']
        : ['naive', 'documents', 'projector', 'bare'];
    for (const mode of modes) {
      say(`round ${round + 1} of ${rounds}: ${mode}`);
      measured[mode].push(await measure(stage, mode, `round-${round}`));
    }
  }
  return figuresOf(measured, stores.areServices);
}

function figuresOf(
  { projector, documents, naive, bare }: Record<Mode, readonly Measured[]>,
  areServices: boolean,
): readonly Figure[] {
  const rate = median(projector.map(({ events, tookMs }) => perSecond(events, tookMs)));
  const us = median(projector.map(({ events, cpuMs }) => (1000 * cpuMs) / events));
  const naiveRates = naive.map(({ events, tookMs }) => perSecond(events, tookMs));
  const naiveUs = median(naive.map(({ events, cpuMs }) => (1000 * cpuMs) / events));
  const written = (some: readonly Measured[]): number =>
    median(some.map((one) => perSecond(one.documents, one.tookMs)));
  const rates = projector.map(({ events, tookMs }) => perSecond(events, tookMs));
  const alone = median(documents.map(({ events, tookMs }) => perSecond(events, tookMs)));
  const [toNaive, toBare] = [alone / median(naiveRates), written(documents) / written(bare)];
  return [
    ...(areServices ? [] : embedded(rate, us)),
    ...besideNaive(toNaive, toBare, areServices),
    informing('events per second, documents alone', shown(alone)),
    informing('events per second, index included', shown(rate)),
    informing('processor time an event, µs, all threads of this process', shown(us)),
    informing('the same, to one event after the other', shown(rate / median(naiveRates))),
    informing('processor time an event, to one event after the other', shown(us / naiveUs)),
    informing('processor time an event, to that of writing one document alone', shown(us / bareUs(bare))),
    informing(
      'events to a document: at the end / as often as it is written, documents alone',
      [projector, documents].map(([one]) => shown(SIZE.events / (one?.documents ?? Number.NaN))).join(' / '),
    ),
    informing('most memory of the process, MB', shown(Math.max(...projector.map(({ peak }) => peak)) / 1e6)),
    informing('slowest round to the fastest', shown(Math.min(...rates) / Math.max(...rates))),
  ];
}

function embedded(rate: number, us: number): readonly Figure[] {
  return [
    {
      name: 'P15: events per second, index included',
      value: shown(rate),
      goal: `at least ${LEAST_PER_SECOND} on a quiet machine, fails below ${FAILS_BELOW}`,
      verdict: rateVerdict(rate, us, { goal: LEAST_PER_SECOND, fails: FAILS_BELOW }),
    },
    {
      name: 'P15: processor time an event, µs, all threads',
      value: shown(us),
      goal: `at most ${MOST_US} on a quiet machine`,
      verdict: us <= MOST_US ? 'met' : 'missed',
    },
  ];
}

/** A file takes documents one by one nearly as fast as together, so that there the ratios are for information. */
function besideNaive(toNaive: number, toBare: number, areServices: boolean): readonly Figure[] {
  const names = [
    'P6: events per second, documents alone, to one event after the other',
    'P6: documents written per second, to the same batches of them alone',
  ] as const;
  if (!areServices) return [informing(names[0], shown(toNaive)), informing(names[1], shown(toBare))];
  return [
    {
      name: names[0],
      value: shown(toNaive),
      goal: 'at least 10, fails below 5',
      verdict: toNaive >= 10 ? 'met' : toNaive >= 5 ? 'missed' : 'failed',
    },
    {
      name: names[1],
      value: shown(toBare),
      goal: 'at least 0.5',
      verdict: toBare >= 0.5 ? 'met' : 'missed',
    },
  ];
}

function bareUs(bare: readonly Measured[]): number {
  return median(bare.map(({ documents, cpuMs }) => (1000 * cpuMs) / documents));
}

function perSecond(count: number, ms: number): number {
  return (1000 * count) / ms;
}

async function measure({ env, documents }: Stage, mode: Mode, round: string): Promise<Measured> {
  return await ask<Measured>('child.ts', [mode], { ...env, ...documents(round) });
}
