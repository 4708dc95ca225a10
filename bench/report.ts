import { appendFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';

import { table } from '../src/cli/table.ts';
import { median, medianInterval } from './statistics.ts';

/** One figure of a benchmark, against the goal of the same run. */
export interface Figure {
  readonly name: string;
  readonly value: string;
  /** What it was compared with, and what was to be reached. */
  readonly goal: string;
  readonly verdict: Verdict;
}

/** `inconclusive`: the machine was too unsteady to tell, as the A/A pairs show. Never a pass. */
export type Verdict = 'met' | 'missed' | 'inconclusive' | 'for information';

export interface Benchmark {
  readonly name: string;
  readonly title: string;
  run(options: BenchmarkOptions): Promise<readonly Figure[]>;
}

export interface BenchmarkOptions {
  /** How many pairs are measured: at least 20 for a verdict. */
  readonly pairs: number;
  /** Says what is being done. */
  readonly say: (what: string) => void;
}

/** How far the median of A/A ratios may be from 1 (../docs/reference/benchmarks.md). */
const STEADY = { low: 0.93, high: 1.07 };

/** A ratio that is to stay at or below a limit, over alternated pairs, with the ratios of A/A pairs of the same run. */
export function atMost(
  name: string,
  limit: number,
  ratios: readonly number[],
  same: readonly number[],
): readonly Figure[] {
  const isMet = medianInterval(ratios).high <= limit;
  return ratioFigures(name, `at most ${limit}, upper bound included`, isMet, { ratios, same });
}

/** A ratio that is to reach a goal, likewise. */
export function atLeast(
  name: string,
  goal: number,
  ratios: readonly number[],
  same: readonly number[],
): readonly Figure[] {
  const isMet = medianInterval(ratios).low >= goal;
  return ratioFigures(name, `at least ${goal}, lower bound included`, isMet, { ratios, same });
}

function ratioFigures(
  name: string,
  goal: string,
  isMet: boolean,
  { ratios, same }: { readonly ratios: readonly number[]; readonly same: readonly number[] },
): readonly Figure[] {
  const { low, high } = medianInterval(ratios);
  const aa = median(same);
  const isSteady = aa >= STEADY.low && aa <= STEADY.high && ratios.length >= 20;
  const verdict = isMet ? 'met' : 'missed';
  return [
    {
      name,
      value: `${shown(median(ratios))} (${shown(low)} to ${shown(high)}, ${ratios.length} pairs)`,
      goal,
      verdict: isSteady ? verdict : 'inconclusive',
    },
    {
      name: 'A/A, the same',
      value: shown(aa),
      goal: `${STEADY.low} to ${STEADY.high}, or nothing is concluded`,
      verdict: 'for information',
    },
  ];
}

/** At most two decimals. */
export function shown(value: number): string {
  return String(Math.round(value * 100) / 100);
}

export function machine(): string {
  const [cpu] = cpus();
  const load = loadavg().map((value) => value.toFixed(1));
  return `Node ${process.versions.node}, ${cpus().length} x ${cpu?.model ?? 'unknown'}, load ${load.join(' ')}`;
}

export function reportOf(figures: readonly Figure[]): string {
  const columns = { measured: 'name', value: 'value', goal: 'goal', verdict: 'verdict' } as const;
  return table(columns, figures).join('\n');
}

/** Appends a dated section to the reference page. */
export function record({ title }: Benchmark, figures: readonly Figure[], on: string): void {
  const rows = figures.map(
    ({ name, value, goal, verdict }) => `| ${name} | ${value} | ${goal} | ${verdict} |`,
  );
  const file = join(import.meta.dirname, '../docs/reference/benchmarks.md');
  const heading = `\n### ${title}, ${new Date().toISOString().slice(0, 10)}\n\n${on}\n`;
  appendFileSync(
    file,
    `${heading}\n| measured | value | goal | verdict |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n`,
  );
}
