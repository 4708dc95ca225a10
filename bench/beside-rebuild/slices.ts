import { startLoad } from '../load/generator.ts';
import type { Measured, Request } from '../load/messages.ts';
import { percentile } from '../statistics.ts';

/** What was measured in a few seconds. */
export interface Slice {
  /** Of requests that came at a steady rate. */
  readonly p50: number;
  readonly p99: number;
  /** Of requests that came one after the other, in a few connections. */
  readonly perSecond: number;
  readonly requests: number;
  /** How many answers were not 200, by status; 0 is a connection that failed. */
  readonly failed: Readonly<Record<string, number>>;
}

const STEADY = { perSecond: 150 };
const STEADY_MS = 2000;
const FULL = { atOnce: 4 };
const FULL_MS = 1000;
/** More than are ever asked for in such slices of a minute. */
const REQUESTS_A_SLICE = 3000;

export interface Load extends AsyncDisposable {
  slice(): Promise<Slice>;
  slices(count: number): Promise<readonly Slice[]>;
}

export function requestsOf(slices: number): number {
  return slices * REQUESTS_A_SLICE;
}

/** A process of its own that makes the load of one slice after the other. */
export async function startSlices(port: number, requests: readonly Request[]): Promise<Load> {
  const load = await startLoad(port, requests);
  async function slice(): Promise<Slice> {
    const steady = await load.run(STEADY, STEADY_MS);
    const full = await load.run(FULL, FULL_MS);
    return {
      p50: percentile(steady.latencies, 0.5),
      p99: percentile(steady.latencies, 0.99),
      perSecond: (1000 * (full.statuses[200] ?? 0)) / FULL_MS,
      requests: steady.latencies.length + full.latencies.length,
      failed: failedOf([steady, full]),
    };
  }
  return {
    slice,
    // One after the other.
    slices: (count) => Array.fromAsync({ length: count }, slice),
    [Symbol.asyncDispose]: () => load[Symbol.asyncDispose](),
  };
}

/** How many answers were not 200, by status. */
export function failedOf(all: readonly Pick<Measured, 'statuses'>[]): Readonly<Record<string, number>> {
  const failed: Record<string, number> = {};
  for (const { statuses } of all)
    for (const [status, count] of Object.entries(statuses))
      if (status !== '200') failed[status] = (failed[status] ?? 0) + count;
  return failed;
}
