import { fillLog } from './filling.ts';
import { GOALS } from './goals.ts';
import { type Measured, measureIn } from './projecting/measured.ts';
import { informing, plain, shown, type Benchmark, type BenchmarkOptions, type Figure } from './report.ts';
import { sizeOr } from './size.ts';
import { median } from './statistics.ts';

/**
 * Live projection from a full log until the documents have all of it, beside one event after the other with a guarded write each;
 * and, for information, until the index has it, too.
 */
export const projection: Benchmark = {
  name: 'projection',
  rows: ['P6'],
  isQuick: true,
  on: 'both',
  title: 'Projecting 200,000 events on 20,000 listings',
  run,
};

const SIZE = sizeOr({ entries: 20_000, events: 200_000 });
/** A round takes a quarter of a minute on a quiet machine; two of them, so that each goes first once. */
const PAIRS_A_ROUND = 5;
const LEAST_ROUNDS = 2;

async function run({ pairs, stores, say }: BenchmarkOptions): Promise<readonly Figure[]> {
  await using stage = await stores.install();
  say(`making ${SIZE.events} events on ${SIZE.entries} entries`);
  await fillLog(stage, { ...SIZE, withProbes: false });
  const modes = ['projector', 'documents', 'naive'] as const;
  const measured: Record<(typeof modes)[number], Measured[]> = { projector: [], documents: [], naive: [] };
  const rounds = Math.max(LEAST_ROUNDS, Math.floor(pairs / PAIRS_A_ROUND));
  for (let round = 0; round < rounds; round += 1) {
    for (const mode of round % 2 === 0 ? modes : modes.toReversed()) {
      say(`round ${round + 1} of ${rounds}: ${mode}`);
      const env = { ...stage.env, ...stage.documents(`${mode}-round-${round}`) };
      measured[mode].push(await measureIn(env, mode));
    }
  }
  const { projector, documents, naive } = measured;
  const bound = stores.areServices ? GOALS['P6 on services'] : GOALS['P6 embedded'];
  const [alone, indexed] = [documents, projector].map(rateOf);
  return [
    plain(
      'P6: events per second, documents alone, to one event after the other',
      (alone ?? 0) / rateOf(naive),
      bound,
    ),
    informing(
      'events per second: documents alone / with the index',
      `${shown(alone ?? 0)} / ${shown(indexed ?? 0)}`,
    ),
    informing(
      'processor time an event, µs, all threads: documents alone / with the index / one after the other',
      [documents, projector, naive].map((some) => shown(microsecondsOf(some))).join(' / '),
    ),
    informing('most memory of the process, MB', shown(Math.max(...projector.map(({ peak }) => peak)) / 1e6)),
  ];
}

/** Events per second. */
function rateOf(measured: readonly Measured[]): number {
  return median(measured.map(({ events, tookMs }) => (1000 * events) / tookMs));
}

/** Processor time of an event. */
function microsecondsOf(measured: readonly Measured[]): number {
  return median(measured.map(({ events, cpuMs }) => (1000 * cpuMs) / events));
}
