import type { Verdict } from './judge.ts';

const HEADER = ['', 'first third', 'middle third', 'last third', 'most', ''];
const MEMORY: ReadonlySet<string> = new Set(['rss', 'heap', 'external']);

/** The lines of a table for people: medians of each third, and the most that was seen. */
export function reportOf(verdicts: readonly Verdict[]): readonly string[] {
  const rows = verdicts.map(({ what, first, middle, last, most, wrong }) => [
    what,
    ...[first, middle, last, most].map((value) => shown(what, value)),
    wrong === null ? '' : 'GROWS',
  ]);
  return [HEADER, ...rows].map((row) =>
    row.map((cell, index) => (index === 0 ? cell.padEnd(12) : cell.padStart(14))).join(''),
  );
}

function shown(what: string, value: number): string {
  if (MEMORY.has(what)) return `${(value / 1e6).toFixed(1)} MB`;
  return what === 'delayMs' ? `${value.toFixed(1)} ms` : String(Math.round(value));
}
