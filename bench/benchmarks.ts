import type { Benchmark } from './report.ts';
import { quota } from './quota.ts';
import { rebuild } from './rebuild.ts';
import { search } from './search.ts';

/** What `npm run bench` measures. */
export const BENCHMARKS: readonly Benchmark[] = [search, quota, rebuild];
