import { compose } from '../src/compose/parts.ts';
import { readConfig } from '../src/config.ts';
import { lagOf } from '../test/support/lag-of.ts';
import { fillLog } from './filling.ts';
import { GOALS } from './goals.ts';
import { informing, plain, shown, type Benchmark, type BenchmarkOptions, type Figure } from './report.ts';
import { sizeOr } from './size.ts';
import { median } from './statistics.ts';
import type { Stage } from './stores.ts';
import { untilDone } from './until-done.ts';

/** A projector that is killed in the middle of a backlog and started again, beside one that is left alone. */
export const killed: Benchmark = {
  name: 'P13',
  title: 'Catching up, with a kill -9 half-way',
  on: 'both',
  run,
};

const SIZE = sizeOr({ entries: 20_000, events: 300_000 });
/** A round takes half a minute. */
const PAIRS_A_ROUND = 8;

async function* run({ pairs, stores, say }: BenchmarkOptions): AsyncGenerator<readonly Figure[]> {
  const { leaseS } = stores;
  await using stage = await stores.install();
  say(`making ${SIZE.events} events on ${SIZE.entries} entries`);
  await fillLog(stage, { ...SIZE, withProbes: false });
  const seconds: Record<'alone' | 'killed', number[]> = { alone: [], killed: [] };
  const rounds = Math.max(1, Math.floor(pairs / PAIRS_A_ROUND));
  for (let round = 0; round < rounds; round += 1) {
    const modes = (['alone', 'killed'] as const).toSorted(() => (round % 2 === 0 ? 0 : -1));
    for (const mode of modes) {
      say(`round ${round + 1} of ${rounds}: ${mode}`);
      seconds[mode].push(await caughtUp(stage, `${mode}-${round}`, { isKilled: mode === 'killed', say }));
    }
  }
  const [alone, withKill] = [median(seconds.alone), median(seconds.killed)];
  const ratio = (withKill - leaseS) / alone;
  const waited = leaseS > 0 ? `, less ${leaseS} s for leases that run out` : '';
  yield [
    plain(`P13: to lag 0${waited}, to the same without a kill`, ratio, GOALS.P13),
    informing('seconds to lag 0: alone / with a kill', `${shown(alone)} / ${shown(withKill)}`),
  ];
}

/** From the first start until nothing is left, in seconds. */
async function caughtUp(
  { installation, env, documents }: Stage,
  name: string,
  { isKilled, say }: { readonly isKilled: boolean; readonly say: (what: string) => void },
): Promise<number> {
  const own = { ...env, ...documents(name) };
  const began = performance.now();
  let projector = installation.start(['project'], own);
  await projector.printed('Projecting.');
  await using parts = await compose(readConfig(own), 'bench');
  let mayKill = isKilled;
  const left = async (): Promise<number> => {
    const lag = await lagOf(parts);
    if (!mayKill || lag >= SIZE.events / 2) return lag;
    if (lag === 0) throw new Error('all was done before it could be killed');
    mayKill = false;
    await projector.stop('SIGKILL');
    projector = installation.start(['project'], own);
    return lag;
  };
  await untilDone({ left, everyMs: 100, by: () => [projector], say });
  const seconds = (performance.now() - began) / 1000;
  await projector.stop();
  return seconds;
}
