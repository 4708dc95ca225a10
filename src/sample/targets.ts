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

export const TARGETS: readonly [Target, Target, Target] = [
  { id: 'bot_api', name: { ru: 'Bot API', en: 'Bot API' }, critical: true, slowMs: 2000, medianMs: 85 },
  {
    id: 'client',
    name: { ru: 'Подключение приложений', en: 'App connections' },
    critical: true,
    slowMs: 2000,
    medianMs: 120,
  },
  { id: 'web', name: { ru: 'Веб-версия', en: 'Web version' }, critical: false, slowMs: 2000, medianMs: 190 },
];

/** A place that probes are sent from. */
export interface VantagePoint {
  readonly id: string;
  /** What its distance adds to every latency, in milliseconds. */
  readonly awayMs: number;
}

export const VANTAGE_POINTS: readonly [VantagePoint, VantagePoint, VantagePoint] = [
  { id: 'ap', awayMs: 130 },
  { id: 'eu', awayMs: 0 },
  { id: 'us', awayMs: 75 },
];

/** Probes of one round, where none stays silent. */
export const PROBES_PER_ROUND = TARGETS.length * VANTAGE_POINTS.length;

/** Rounds of the monitor: whole minutes of Unix time. */

export const ROUND_MS = 60_000;
export const ROUNDS_A_DAY = 1440;

/** The last round that has ended by then (Unix milliseconds). */
export function lastRoundBy(ms: number): number {
  return Math.floor(ms / ROUND_MS) - 1;
}
