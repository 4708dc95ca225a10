import { randomUUID } from 'node:crypto';

import { fillLog } from './filling.ts';
import { GOALS } from './goals.ts';
import { type Measured, measureIn } from './projecting/measured.ts';
import { alternate, ratiosBy } from './pairs.ts';
import { compared, informing, shown, type Benchmark, type BenchmarkOptions, type Figure } from './report.ts';
import { sizeOr } from './size.ts';
import { median } from './statistics.ts';

/**
 * Live projection from a full log until the documents have all of it, beside one event after the other with a guarded write each;
 * and, for information, until the index has it, too.
 */
export const projection: Benchmark = {
  name: 'projection',
  rows: ['P6'],
  on: 'both',
  title: 'Projecting 200,000 events on 20,000 listings',
  run,
};

const SIZE = sizeOr({ entries: 20_000, events: 200_000 });
type Compared = 'projector' | 'documents' | 'naive';
/** A round takes half a minute on a quiet machine; two of them, so that each goes first once. */
const PAIRS_A_ROUND = 5;
const LEAST_ROUNDS = 2;

async function* run({ pairs, stores, say }: BenchmarkOptions): AsyncGenerator<readonly Figure[]> {
  await using stage = await stores.install();
  say(`making ${SIZE.events} events on ${SIZE.entries} entries`);
  await fillLog(stage, { ...SIZE, withProbes: false });
  const measured = { projector: [], documents: [], naive: [] } as Record<Compared, Measured[]>;
  const rounds = Math.max(LEAST_ROUNDS, Math.floor(pairs / PAIRS_A_ROUND));
  const measure = async (mode: Compared, round: number): Promise<Measured> => {
    say(`round ${round + 1} of ${rounds}: ${mode}`);
    const taken = await measureIn({ ...stage.env, ...stage.documents(`${mode}-${randomUUID()}`) }, mode);
    measured[mode].push(taken);
    return taken;
  };
  const projected = await alternate({
    pairs: rounds,
    warming: 0,
    a: (round) => measure('documents', round),
    b: (round) => measure('naive', round),
    say,
  });
  await measure('projector', 0);
  const { projector, documents, naive } = measured;
  const bound = stores.areServices ? GOALS['P6 on services'] : GOALS['P6 embedded'];
  yield [
    ...compared(
      'P6: events per second, documents alone, to one event after the other',
      bound,
      ratiosBy(projected, rateOf),
    ),
    informing(
      'events per second: documents alone / with the index',
      [documents, projector].map((some) => shown(median(some.map(rateOf)))).join(' / '),
    ),
    informing(
      'processor time an event, µs, all threads: documents alone / with the index / one after the other',
      [documents, projector, naive].map((some) => shown(microsecondsOf(some))).join(' / '),
    ),
    informing('most memory of the process, MB', shown(Math.max(...projector.map(({ peak }) => peak)) / 1e6)),
  ];
}

/** Events per second. */
function rateOf({ events, tookMs }: Measured): number {
  return (1000 * events) / tookMs;
}

/** Processor time of an event. */
function microsecondsOf(measured: readonly Measured[]): number {
  return median(measured.map(({ events, cpuMs }) => (1000 * cpuMs) / events));
}
