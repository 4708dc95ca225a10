import { setTimeout as pause } from 'node:timers/promises';

import { install } from '../test/support/process.ts';
import { usedBy } from './process.ts';
import { informing, shown, type Benchmark, type BenchmarkOptions, type Figure } from './report.ts';

/** What an embedded process with the whole sample takes while nobody asks for anything and nothing is published. */
export const idle: Benchmark = {
  name: 'idle',
  title: 'A process at rest',
  run,
};

/** By then the index has been compared with the documents for the second time, as it is a minute after a start. */
const SETTLING_MS = 100_000;
const MEASURED_MS = 60_000;
const GOAL = { percent: 0.5, wakeUps: 20 };

async function run({ say }: BenchmarkOptions): Promise<readonly Figure[]> {
  await using installation = await install({ CATALOG_SAMPLE: 'once' });
  const first = installation.start(['start']);
  await first.printed('Ctrl-C stops.');
  say('the sample is there; the older days of its monitor are filled in');
  await untilFilled(installation.catalog);
  await first.stop();
  const service = installation.start(['start']);
  await service.printed('Ctrl-C stops.');
  const pid = service.child.pid ?? 0;
  say(`settling for ${SETTLING_MS / 1000} s`);
  await pause(SETTLING_MS);
  const before = usedBy(pid);
  say(`measuring for ${MEASURED_MS / 1000} s`);
  await pause(MEASURED_MS);
  const after = usedBy(pid);
  const percent = (100 * (after.cpuMs - before.cpuMs)) / MEASURED_MS;
  const wakeUps = (1000 * (after.wakeUps - before.wakeUps)) / MEASURED_MS;
  return [
    {
      name: 'processor, % of a core',
      value: shown(percent),
      goal: `under ${GOAL.percent}`,
      verdict: percent < GOAL.percent ? 'met' : 'missed',
    },
    {
      name: 'wake-ups of all threads, a second',
      value: shown(wakeUps),
      goal: `under ${GOAL.wakeUps}`,
      verdict: wakeUps < GOAL.wakeUps ? 'met' : 'missed',
    },
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
