import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';

import { table } from '../src/cli/table.ts';
import type { Bound } from './goals.ts';
import { mediansBy, type Pair } from './pairs.ts';
import type { Stores } from './stores.ts';
import { median, medianInterval } from './statistics.ts';
import { plainVerdict, STEADY, type Verdict, verdictOf } from './verdict.ts';

/** One figure of a benchmark, against the goal of the same run. */
export interface Figure {
  readonly name: string;
  readonly value: string;
  /** What it was compared with, and what was to be reached. */
  readonly goal: string;
  readonly verdict: Verdict;
}

export interface Benchmark {
  readonly name: string;
  /** The rows of the table of goals that it measures, where its name is none of them: each of them names it, too. */
  readonly rows?: readonly string[];
  readonly title: string;
  /** Whether it is one of those of `--quick`. */
  readonly isQuick?: boolean;
  /** Which stores it is for. Default: files alone. */
  readonly on?: 'both';
  /** Some figures after the other, each as soon as it is known. */
  run(options: BenchmarkOptions): AsyncIterable<readonly Figure[]>;
}

export interface BenchmarkOptions {
  /** Smaller than its goals are for, where it is large: for every commit, on any machine. */
  readonly quick: boolean;
  /** What was asked for by name: benchmarks, or rows of them. None: all. */
  readonly names: readonly string[];
  /** How many pairs are measured. */
  readonly pairs: number;
  /** How long a slice of a pair takes, in milliseconds. */
  readonly sliceMs: number;
  readonly stores: Stores;
  /** Says what is being done. */
  readonly say: (what: string) => void;
}

export interface Ratios {
  readonly ratios: readonly number[];
  /** Of the A/A pairs of the same run. */
  readonly same: readonly number[];
}

/** A ratio over alternated pairs against its bounds, and how steady the machine was. */
export function compared(name: string, bound: Bound, { ratios, same }: Ratios): readonly Figure[] {
  return [
    { name, value: shownRatio(ratios), goal: told(bound), verdict: verdictOf(bound, ratios, same) },
    informing('A/A, the same', shownRatio(same), `${STEADY.low} to ${STEADY.high}`),
  ];
}

/** One plain value against its bounds. */
export function plain(name: string, value: number, bound: Bound): Figure {
  return { name, value: shown(value), goal: told(bound), verdict: plainVerdict(bound, value) };
}

function told({ side, goal, fails }: Bound): string {
  const reached = `${side === 'least' ? '>=' : '<='} ${goal}`;
  return Number.isFinite(fails) ? `${reached}, fails ${side === 'least' ? '<' : '>'} ${fails}` : reached;
}

/** A plain figure that has to hold in every run. */
export function required(name: string, value: string, goal: string, holds: boolean): Figure {
  return { name, value, goal, verdict: holds ? 'met' : 'failed' };
}

export function informing(name: string, value: string, goal = '-'): Figure {
  return { name, value, goal, verdict: 'for information' };
}

/** Beside a ratio, for people: the medians of both sides. */
export function sides<Slice>(
  name: string,
  pairs: readonly Pair<Slice>[],
  valueOf: (slice: Slice) => number,
): Figure {
  return informing(name, mediansBy(pairs, valueOf).map(shown).join(' / '));
}

/** A median with its interval. */
export function shownRatio(ratios: readonly number[]): string {
  const { low, high } = medianInterval(ratios);
  return `${shown(median(ratios))} (${shown(low)} to ${shown(high)}, ${ratios.length} pairs)`;
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

/** Puts a dated section before all that was measured earlier. */
export function record({ title }: Benchmark, figures: readonly Figure[], on: string): void {
  const rows = figures.map(
    ({ name, value, goal, verdict }) => `| ${name} | ${value} | ${goal} | ${verdict} |`,
  );
  const heading = `### ${title}, ${new Date().toISOString().slice(0, 10)}\n\n${on}\n`;
  const section = `${heading}\n| measured | value | goal | verdict |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n`;
  const file = join(import.meta.dirname, '../docs/reference/benchmarks-history.md');
  const history = readFileSync(file, 'utf8');
  const first = history.indexOf('### ');
  const start = first < 0 ? history.length : first;
  writeFileSync(file, `${history.slice(0, start)}${section}\n${history.slice(start)}`);
}
