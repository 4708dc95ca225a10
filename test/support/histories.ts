import { simulatedHistory } from '../../src/sample/simulated/history.ts';

/** A small seeded generator of numbers in [0, 1): Mulberry32, by Tommy Ettinger. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export interface Day {
  readonly entries: number;
  readonly events: number;
  readonly seed: number;
}

/**
 * A simulated month as NDJSON lines, on a bad day of upstream: one line in ten is there twice, the order is random. It comes
 * from an upstream, not from the simulator, whose events would be taken for as old as they say they are.
 */
export function disorderlyHistory({ entries, events, seed }: Day): readonly string[] {
  const random = seeded(seed);
  const pick = (below: number): number => Math.floor(random() * below);
  const once = Math.ceil(events / 1.1);
  const history = { entries, days: 30, events: once, seed, endMs: Date.UTC(2026, 0, 1) };
  const lines = Array.from(simulatedHistory(history), (event) =>
    JSON.stringify({ ...event, source: '/upstream' }),
  );
  while (lines.length < events) lines.push(String(lines[pick(once)]));
  for (let index = lines.length - 1; index > 0; index -= 1) {
    const other = pick(index + 1);
    [lines[index], lines[other]] = [String(lines[other]), String(lines[index])];
  }
  return lines;
}
