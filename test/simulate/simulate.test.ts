import { expect, test } from 'vitest';

import { simulate, type Run } from './simulate.ts';

const runs = new Map<number, Promise<Run>>();

/** `SIMULATE_SEEDS=10000 npx vitest run test/simulate` is the long run. */
const SEEDS = Number(process.env['SIMULATE_SEEDS'] ?? 200);

test(
  `${SEEDS} storms: every promise holds at every step, and the projector recovers by itself`,
  async () => {
    const happened = new Set<string>();
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const run = await runOf(seed).catch((thrown: unknown) => {
        throw new Error(`seed ${seed}`, { cause: thrown });
      });
      for (const what of run.happened.keys()) {
        happened.add(what).add(what.replace(/ (refused|cut|unanswered)$/, ' failed'));
      }
    }
    // A storm in which nothing fails proves nothing.
    const wanted = [...ACTS, ...faultsOf(CALLS), ...RARE_CALLS.map((call) => `${call} failed`)];
    expect(wanted.filter((what) => !happened.has(what))).toEqual([]);
  },
  60_000 + SEEDS * 10_000,
);

const ACTS = [
  ...listed('assigned; revoked; killed; paused; stopped; fetched elsewhere; conflict in notes@1'),
  ...listed('conflict in checkpoints; conflict in parked; conflict in leases; clock set'),
  ...listed('ends unknown; ends empty; store in trouble; store read only; topic unknown'),
  ...listed('topic empty; nameless error; unreplicated notes@1 read; unreplicated parked read'),
  ...listed('outage: read only; outage: nameless; outage: unknown; log replaced, overtaken'),
  ...listed('log replaced, younger; index lost; index emptied; put late; remove late'),
];
const CALLS = [
  ...listed('declare; subscribe; ends; fetch; get; write notes@1; versions; append'),
  ...listed('write parked; write checkpoints; find; now; write leases'),
];
/** Calls too few for every kind of failure to befall them in every 200 storms. */
const RARE_CALLS = ['count', 'scan', 'declare index', 'seal', 'seals', 'contents', 'put', 'remove'];

function listed(text: string): readonly string[] {
  return text.split('; ');
}

function faultsOf(calls: readonly string[]): readonly string[] {
  return calls.flatMap((call) => ['refused', 'cut', 'unanswered'].map((fault) => `${call} ${fault}`));
}

test('the same seed gives the same run, another seed another one', async () => {
  const first = await runOf(1);
  expect((await simulate(1)).trace).toBe(first.trace);
  expect((await runOf(2)).trace).not.toBe(first.trace);
});

/** The run of a seed, made once for all tests of this file. */
function runOf(seed: number): Promise<Run> {
  const run = runs.get(seed) ?? simulate(seed);
  runs.set(seed, run);
  return run;
}
