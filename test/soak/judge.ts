import type { Sample } from './sample.ts';

/** One thing that was watched: as it was in the middle third of the run and in the last one, and what is wrong with it. */
export interface Verdict {
  readonly what: keyof Sample;
  readonly first: number;
  readonly middle: number;
  readonly last: number;
  readonly most: number;
  /** null where it is flat. */
  readonly wrong: string | null;
}

/** How much more the last third may take than the middle one. */
const GROWTH = 1.1;

/** Differences below these are noise: of the collector, of connections that come and go, of a machine with others on it. */
const NOISE: Readonly<Record<keyof Sample, number>> = {
  rss: 8 * 2 ** 20,
  descriptors: 10,
  delayMs: 20,
  heap: 16 * 2 ** 20,
  external: 4 * 2 ** 20,
};

/** The heap goes up and down with the collector by more than any growth that matters: it is shown, and judged by RSS. */
const JUDGED: ReadonlySet<keyof Sample> = new Set(['rss', 'descriptors', 'delayMs', 'external']);

export function judge(samples: readonly Sample[]): readonly Verdict[] {
  const third = Math.floor(samples.length / 3);
  const thirds = [samples.slice(0, third), samples.slice(third, 2 * third), samples.slice(2 * third)];
  return (Object.keys(NOISE) as (keyof Sample)[]).map((what) => {
    const [first = 0, middle = 0, last = 0] = thirds.map((some) =>
      median(some.map((sample) => sample[what])),
    );
    const most = Math.max(...samples.map((sample) => sample[what]));
    const isFlat = last <= Math.max(middle * GROWTH, middle + NOISE[what]);
    const wrong = isFlat || !JUDGED.has(what) ? null : `${what} grows`;
    return { what, first, middle, last, most, wrong };
  });
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
