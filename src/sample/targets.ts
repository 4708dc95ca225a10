import data from './data/targets.json' with { type: 'json' };

/** What the generated monitor watches, and from where. */
export interface Target {
  readonly id: string;
  readonly name: { readonly ru: string; readonly en: string };
  readonly critical: boolean;
  /** Above so many milliseconds a check is slow. */
  readonly slowMs: number;
  /** The median latency seen from the nearest vantage point on a quiet night, in milliseconds. */
  readonly medianMs: number;
}

export const TARGETS: readonly Target[] = data.targets;

/** A place that probes are sent from. */
export interface VantagePoint {
  readonly id: string;
  /** What its distance adds to every latency, in milliseconds. */
  readonly awayMs: number;
}

export const VANTAGE_POINTS: readonly VantagePoint[] = data.vantagePoints;

/** Probes of one round, where none stays silent. */
export const PROBES_PER_ROUND = TARGETS.length * VANTAGE_POINTS.length;

/** Rounds of the monitor: whole minutes of Unix time. */
export const ROUND_MS = 60_000;
export const ROUNDS_A_DAY = 1440;

/** The last round that has ended by then (Unix milliseconds). */
export function lastRoundBy(ms: number): number {
  return Math.floor(ms / ROUND_MS) - 1;
}
