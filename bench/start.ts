import { setTimeout as pause } from 'node:timers/promises';

import { install, type Installation } from '../test/support/process.ts';
import { type Bound, GOALS } from './goals.ts';
import { usedBy } from './process.ts';
import { informing, plain, shown, type Benchmark, type BenchmarkOptions, type Figure } from './report.ts';
import { median } from './statistics.ts';
import type { Verdict } from './verdict.ts';

/** From the command to the banner: the first start, which makes the sample, and those that find it. */
export const start: Benchmark = {
  name: 'start',
  rows: ['P18'],
  title: 'Starts with the sample',
  run,
};

const SECOND_STARTS = 5;
/** What a start leaves to be done has its time before the next one. */
const BETWEEN_MS = 3000;

async function* run({ say }: BenchmarkOptions): AsyncGenerator<readonly Figure[]> {
  await using installation = await install();
  // Node keeps what it has compiled of the sources: as after any command before the first start.
  await installation.catalog(['--version']);
  say('the first start');
  const first = await started(installation);
  const later: Started[] = [];
  for (let count = 0; count < SECOND_STARTS; count += 1) {
    say(`start ${count + 2}`);
    later.push(await started(installation));
  }
  yield [
    ...figures('first start', [first], GOALS['P18 first']),
    ...figures(`later start, median of ${SECOND_STARTS}`, later, GOALS['P18 later']),
  ];
}

interface Started {
  readonly seconds: number;
  readonly cpuSeconds: number;
}

async function started(installation: Installation): Promise<Started> {
  const began = performance.now();
  const service = await installation.started();
  const seconds = (performance.now() - began) / 1000;
  const cpuSeconds = usedBy(service.child.pid ?? 0).cpuMs / 1000;
  await pause(BETWEEN_MS);
  await service.stop();
  return { seconds, cpuSeconds };
}

function figures(name: string, starts: readonly Started[], bound: Bound): readonly Figure[] {
  const seconds = median(starts.map((one) => one.seconds));
  const cpu = median(starts.map((one) => one.cpuSeconds));
  const figure = plain(`P18: ${name}: seconds to the banner`, seconds, bound);
  // Where others load the machine, the wall says nothing; processor time beyond the goal does.
  const byCpu = plain('', cpu, bound).verdict;
  const late: Verdict = byCpu === 'met' ? 'inconclusive' : byCpu;
  return [
    figure.verdict === 'met' ? figure : { ...figure, verdict: late },
    informing('processor time until then, seconds', shown(cpu)),
  ];
}
