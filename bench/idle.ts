import { setTimeout as pause } from 'node:timers/promises';

import { install } from '../test/support/process.ts';
import { type Bound, GOALS } from './goals.ts';
import { usedBy } from './process.ts';
import { informing, plain, shown, type Benchmark, type BenchmarkOptions, type Figure } from './report.ts';

/** What a process takes while nobody asks for anything and nothing is published: `start` with the whole sample, or a projector on services. */
export const idle: Benchmark = {
  name: 'idle',
  rows: ['P17'],
  title: 'A process at rest',
  on: 'both',
  run,
};

/** By then the index has been compared with the documents for the second time, as it is a minute after a start. */
const SETTLING_MS = 100_000;
const MEASURED_MS = 60_000;

async function* run({ stores, say }: BenchmarkOptions): AsyncGenerator<readonly Figure[]> {
  if (stores.areServices) {
    await using stage = await stores.install();
    const projector = stage.installation.start(['project'], stage.env);
    await projector.printed('Projecting.');
    yield await atRest(projector.child.pid ?? 0, GOALS['P17 projector'], say);
    return;
  }
  await using installation = await install({ CATALOG_SAMPLE: 'once' });
  const first = await installation.started();
  say('the sample is there; the older days of its monitor are filled in');
  await untilFilled(installation.catalog);
  await first.stop();
  const service = await installation.started();
  yield await atRest(service.child.pid ?? 0, GOALS['P17 embedded'], say);
}

async function atRest(pid: number, bound: Bound, say: (what: string) => void): Promise<readonly Figure[]> {
  say(`settling for ${SETTLING_MS / 1000} s`);
  await pause(SETTLING_MS);
  const before = usedBy(pid);
  say(`measuring for ${MEASURED_MS / 1000} s`);
  await pause(MEASURED_MS);
  const after = usedBy(pid);
  const percent = (100 * (after.cpuMs - before.cpuMs)) / MEASURED_MS;
  const wakeUps = (1000 * (after.wakeUps - before.wakeUps)) / MEASURED_MS;
  return [
    plain('P17: processor, % of a core', percent, bound),
    informing('wake-ups of all threads, a second', shown(wakeUps)),
    informing('memory, MB', shown(after.residentMb)),
  ];
}

const LOOK_MS = 10_000;

/** Until two looks in a row find the log as long as before, and all of it projected. */
async function untilFilled(catalog: Awaited<ReturnType<typeof install>>['catalog']): Promise<void> {
  for (let before = ''; ;) {
    await pause(LOOK_MS);
    const { stdout } = await catalog(['status', '--json']);
    const { lanes } = JSON.parse(stdout) as { readonly lanes: readonly { latest: number; lag: number }[] };
    const now = JSON.stringify(lanes.map(({ latest }) => latest));
    if (now === before && lanes.every(({ lag }) => lag === 0)) return;
    before = now;
  }
}
