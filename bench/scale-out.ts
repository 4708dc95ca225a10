import { compose } from '../src/compose/parts.ts';
import { readConfig } from '../src/config.ts';
import { readProgress } from '../src/projecting/inspect/progress.ts';
import { fillLog } from './filling.ts';
import { usedBy } from './process.ts';
import { informing, shown, type Benchmark, type BenchmarkOptions, type Figure } from './report.ts';
import { sizeOr } from './size.ts';
import type { Stage } from './stores.ts';
import { untilDone } from './until-done.ts';

/** One, two and three projectors that share the partitions of a log, until all of it is in the documents. */
export const scaleOut: Benchmark = {
  name: 'scale-out',
  title: 'One, two and three projectors on one log',
  on: 'services',
  run,
};

const SIZE = sizeOr({ entries: 20_000, events: 200_000 });

async function run({ stores, say }: BenchmarkOptions): Promise<readonly Figure[]> {
  await using stage = await stores.install();
  say(`making ${SIZE.events} events on ${SIZE.entries} entries`);
  await fillLog(stage, { ...SIZE, withProbes: false });
  const figures: Figure[] = [];
  for (const count of [1, 2, 3]) {
    say(`${count} at a time`);
    const { seconds, cpuMs } = await caughtUp(stage, count, say);
    const name = count === 1 ? 'one projector' : `${count} projectors`;
    const value = `${shown(SIZE.events / seconds)} / ${shown((1000 * cpuMs) / SIZE.events)}`;
    figures.push(informing(`${name}: events per second / processor time of theirs an event, µs`, value));
  }
  return figures;
}

/** From their start until nothing is left, with the processor time of all of them: one may project long before it says so. */
async function caughtUp(
  { installation, env, documents }: Stage,
  count: number,
  say: (what: string) => void,
): Promise<{ readonly seconds: number; readonly cpuMs: number }> {
  const own = { ...env, ...documents(`by-${count}`) };
  await using parts = await compose(readConfig(own), 'bench');
  await parts.identity();
  const began = performance.now();
  const projectors = Array.from({ length: count }, () =>
    installation.start(['project'], { ...own, ADMIN_PORT: '0' }),
  );
  await Promise.race(projectors.map((one) => one.printed('Projecting.')));
  const left = async (): Promise<number> =>
    (await readProgress(parts)).reduce((sum, { lag }) => sum + lag, 0);
  await untilDone({ left, everyMs: 200, by: () => projectors, say });
  const seconds = (performance.now() - began) / 1000;
  await Promise.all(projectors.map((one) => one.printed('Projecting.')));
  const cpuMs = projectors.reduce((sum, { child }) => sum + usedBy(child.pid ?? 0).cpuMs, 0);
  await Promise.all(projectors.map((one) => one.stop()));
  return { seconds, cpuMs };
}
