import { besideFlood } from './contract/flood.ts';
import { STATUSES } from './contract/requests.ts';
import { type ContractStage, contractStage } from './contract/stage.ts';
import { GOALS } from './goals.ts';
import type { Load, Measured, Slice } from './http/measured.ts';
import { alternate, alternateLoads, mediansBy, ratiosBy } from './pairs.ts';
import {
  type Benchmark,
  type BenchmarkOptions,
  compared,
  type Figure,
  informing,
  plain,
  shown,
  shownRatio,
  sides,
} from './report.ts';
import { percentile } from './statistics.ts';

/** What the contract allows: very many keys, each of which asks now and then. */
export const contract: Benchmark = {
  name: 'contract',
  rows: ['C1', 'C2', 'C4'],
  isQuick: true,
  title: 'The load of the contract, beside an afternoon of work, beside constants, and in a flood',
  on: 'both',
  run,
};

/** Of the requests a second that the slower side answers. */
const STEADY = 0.5;

async function* run(options: BenchmarkOptions): AsyncGenerator<readonly Figure[]> {
  await using stage = await contractStage(options);
  const { quick, names } = options;
  const isAsked = (row: string): boolean =>
    names.length > 0 ? names.includes(row) || names.includes(contract.name) : row === 'C1' || !quick;
  if (isAsked('C1')) yield* besideAfternoon(stage, options);
  if (isAsked('C2')) yield await besideConstant(stage, options);
  if (isAsked('C4')) yield await besideFlood(stage, options);
}

async function* besideAfternoon(
  stage: ContractStage,
  options: BenchmarkOptions,
): AsyncGenerator<readonly Figure[]> {
  await using peer = await stage.afternoon();
  await using oursWithout = await stage.ours.load(await stage.requests('C1 without', stage.ours), STATUSES);
  await using theirsWithout = await peer.load(await stage.requests('C1 without', peer), STATUSES);
  const without = await alternateLoads(options, oursWithout, theirsWithout);
  await using ours = await stage.ours.load(await stage.requests('C1', stage.ours), STATUSES);
  await using theirs = await peer.load(await stage.requests('C1', peer), STATUSES);
  const full = await alternateLoads(options, ours, theirs);
  const slices = full.flatMap(({ a }) => a);
  const aRequest = (count: (slice: Slice) => number): number =>
    slices.reduce((sum, slice) => sum + count(slice), 0) /
    slices.reduce((sum, { requests }) => sum + requests, 0);
  yield [
    ...compared('C1: processor time a request, beside the afternoon', GOALS.C1, ratiosBy(full, cpu)),
    sides('C1: processor time a request, µs: ours / the peer', full, cpu),
    informing('the same without searches, ratio', shownRatio(ratiosBy(without, cpu).ratios)),
    sides('the same, µs: ours / the peer', without, cpu),
    plain(
      'C1: documents written a request',
      aRequest(({ stores }) => stores.accessWritten),
      GOALS['C1 written'],
    ),
    plain(
      'C1: documents read a request',
      aRequest(({ stores }) => stores.accessRead),
      GOALS['C1 read'],
    ),
  ];
  // Of so few short slices the slowest requests say nothing.
  if (!options.quick)
    yield await latencies(ours, theirs, STEADY * Math.min(...mediansBy(full, perSecond)), options);
}

/** At a rate that both can answer. */
async function latencies(
  ours: Load,
  theirs: Load,
  rate: number,
  options: BenchmarkOptions,
): Promise<readonly Figure[]> {
  const { sliceMs, say } = options;
  say(`latencies at ${shown(rate)} requests a second`);
  const p99 = async (load: Load): Promise<number> =>
    percentile((await load.steady(rate, 2 * sliceMs)).latencies, 0.99);
  const steady = await alternate({ ...options, warming: 1, a: () => p99(ours), b: () => p99(theirs) });
  return [
    ...compared(
      'C1: p99 at half of the capacity, beside the afternoon',
      GOALS['C1 p99'],
      ratiosBy(steady, Number),
    ),
    sides('C1: p99, ms: ours / the peer', steady, Number),
  ];
}

async function besideConstant(stage: ContractStage, options: BenchmarkOptions): Promise<readonly Figure[]> {
  await using peer = await stage.constant();
  await using ours = await stage.ours.load(await stage.requests('C2', stage.ours), STATUSES);
  await using theirs = await peer.load(await stage.requests('C2', peer), STATUSES);
  const full = await alternateLoads(options, ours, theirs);
  const rate = STEADY * Math.min(...mediansBy(full, perSecond));
  options.say(`processor time at ${shown(rate)} requests a second`);
  const steady = await alternate({
    ...options,
    warming: 1,
    a: () => costAt(stage.ours, ours, rate, options),
    b: () => costAt(peer, theirs, rate, options),
  });
  return [
    ...compared(
      'C2: requests a second of processor time, without search, beside constants',
      GOALS.C2,
      ratiosBy(full, (slice) => 1 / cpu(slice)),
    ),
    sides('C2: processor time a request, µs: ours / constants', full, cpu),
    // Who is asked as fast as it answers shares system calls among answers, the more so the faster it is.
    informing('the same at one rate for both', shownRatio(ratiosBy(steady, (cost) => 1 / cost).ratios)),
    sides('at that rate, µs: ours / constants', steady, Number),
  ];
}

/** Processor time a request, in microseconds, at so many a second. */
async function costAt(
  server: Measured,
  load: Load,
  rate: number,
  { sliceMs }: Pick<BenchmarkOptions, 'sliceMs'>,
): Promise<number> {
  const before = await server.used();
  const answered = await load.steady(rate, sliceMs);
  return (1000 * ((await server.used()).cpuMs - before.cpuMs)) / answered.latencies.length;
}

function perSecond(slice: Slice): number {
  return slice.perSecond;
}

function cpu({ cpuPerRequest }: Slice): number {
  return cpuPerRequest;
}
