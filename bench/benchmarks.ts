import type { Benchmark } from './report.ts';
import { search } from './search.ts';

/** What `npm run bench` measures. */
export const BENCHMARKS: readonly Benchmark[] = [search];
