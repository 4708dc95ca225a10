import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { install, type Installation } from '../test/support/process.ts';
import { fillLog } from './filling.ts';
import type { Measured, Mode } from './projecting/messages.ts';
import { informing, shown, type Benchmark, type BenchmarkOptions, type Figure } from './report.ts';
import type { Verdict } from './verdict.ts';
import { median } from './statistics.ts';

/**
 * Live projection on the embedded default, from a full log until the documents and the index have all of it. Peers of the
 * same run: one event after the other with a guarded write each, and the same documents written without a log or a fold.
 */
export const projection: Benchmark = {
  name: 'projection',
  isQuick: true,
  title: 'Projecting 300,000 events on 20,000 listings, with the index',
  run,
};

const ENTRIES = 20_000;
const EVENTS = 300_000;
/** A round takes a quarter of a minute on a quiet machine. */
const PAIRS_A_ROUND = 5;
const LEAST_PER_SECOND = 25_000;
const FAILS_BELOW = 10_000;
const MOST_US = 40;

async function run({ pairs, say }: BenchmarkOptions): Promise<readonly Figure[]> {
  await using installation = await install({ CATALOG_SAMPLE: 'off' });
  const log = join(installation.folder, 'log.db');
  say(`making ${EVENTS} events on ${ENTRIES} entries`);
  const filled = { ...installation, env: { ...installation.env, CATALOG_LOG_URL: `sqlite:${log}` } };
  await fillLog(filled, { entries: ENTRIES, events: EVENTS, withProbes: false });
  const measured: Record<Mode, Measured[]> = { projector: [], naive: [], bare: [] };
  const rounds = Math.max(1, Math.floor(pairs / PAIRS_A_ROUND));
  for (let round = 0; round < rounds; round += 1) {
    // The order changes, but for the documents that are to be written: they are made first.
    const modes: readonly Mode[] =
      round % 2 === 0 ? ['projector', 'naive', 'bare'] : ['naive', 'projector', 'bare'];
    for (const mode of modes) {
      say(`round ${round + 1} of ${rounds}: ${mode}`);
      measured[mode].push(await measure(installation, mode, log, `round-${round}`));
    }
  }
  return figuresOf(measured);
}

function figuresOf({ projector, naive, bare }: Record<Mode, readonly Measured[]>): readonly Figure[] {
  const rate = median(projector.map(({ events, tookMs }) => perSecond(events, tookMs)));
  const us = median(projector.map(({ events, cpuMs }) => (1000 * cpuMs) / events));
  const naiveRates = naive.map(({ events, tookMs }) => perSecond(events, tookMs));
  const naiveUs = median(naive.map(({ events, cpuMs }) => (1000 * cpuMs) / events));
  const ours = median(projector.map(({ documents, tookMs }) => perSecond(documents, tookMs)));
  const theirs = median(bare.map(({ documents, tookMs }) => perSecond(documents, tookMs)));
  const rates = projector.map(({ events, tookMs }) => perSecond(events, tookMs));
  return [
    {
      name: 'events per second, index included',
      value: shown(rate),
      goal: `at least ${LEAST_PER_SECOND} on a quiet machine, fails below ${FAILS_BELOW}`,
      verdict: verdictOf(rate, us),
    },
    {
      name: 'processor time an event, µs, all threads',
      value: shown(us),
      goal: `at most ${MOST_US} on a quiet machine`,
      verdict: us <= MOST_US ? 'met' : 'missed',
    },
    informing('events per second, to one event after the other', shown(rate / median(naiveRates))),
    informing('processor time an event, to one event after the other', shown(us / naiveUs)),
    informing('documents per second, to the same documents written alone', shown(ours / theirs)),
    informing('processor time an event, to that of writing one document alone', shown(us / bareUs(bare))),
    informing('events to a document at the end', shown(EVENTS / (projector[0]?.documents ?? Number.NaN))),
    informing('most memory of the process, MB', shown(Math.max(...projector.map(({ peak }) => peak)) / 1e6)),
    informing('slowest round to the fastest', shown(Math.min(...rates) / Math.max(...rates))),
  ];
}

/** A rate that is too low fails where the processor's time says so too: else others may have had the machine. */
function verdictOf(rate: number, us: number): Verdict {
  if (rate >= LEAST_PER_SECOND) return 'met';
  if (rate >= FAILS_BELOW) return 'missed';
  return us > 1_000_000 / FAILS_BELOW ? 'failed' : 'inconclusive';
}

function bareUs(bare: readonly Measured[]): number {
  return median(bare.map(({ documents, cpuMs }) => (1000 * cpuMs) / documents));
}

function perSecond(count: number, ms: number): number {
  return (1000 * count) / ms;
}

async function measure(
  { env, folder }: Installation,
  mode: Mode,
  log: string,
  round: string,
): Promise<Measured> {
  const own = { CATALOG_DATA: join(folder, round), CATALOG_LOG_URL: `sqlite:${log}` };
  const child = spawn(process.execPath, [join(import.meta.dirname, 'projecting/child.ts'), mode], {
    env: { ...env, ...own },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  if (code !== 0) throw new Error(`${mode} ended with code ${code}`);
  return JSON.parse(said) as Measured;
}
