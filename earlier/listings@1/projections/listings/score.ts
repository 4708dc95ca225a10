import { decimal, plus, quotient, rounded, times, type Decimal } from './decimal.ts';
import type { Content, Score } from './document.ts';
import { daysBetween, type ShownMetrics } from './metrics.ts';

/**
 * The catalog score, formula 2026-1 (docs/reference/score.md): 0 to 100, one decimal. Every step starts from the
 * rounded numbers that readers see, so that they can add the parts up themselves.
 */
export const FORMULA = '2026-1';

type Part = Score['breakdown'][number]['key'];

/** In hundredths, in the order of the breakdown. */
const WEIGHTS: readonly (readonly [Part, number])[] = [
  ['audience', 30],
  ['engagement', 25],
  ['growth', 15],
  ['activity', 15],
  ['trust', 15],
];

/** An audience of a million, and a thousand mentions in 30 days, are worth all the points of their parts. */
const FULL_AUDIENCE = 1_000_000;
const FULL_MENTIONS = 1_000;

/** A history that spans fewer days, or an audience below this, makes the score preliminary. */
const SETTLED_HISTORY_DAYS = 14;
const SETTLED_AUDIENCE = 50;

/** Pure. `shown` holds the metrics of the content's kind, null where there are none. */
export function scoreOf(trusted: Pick<Content, 'verified' | 'flags'>, shown: ShownMetrics): Score {
  const values = valuesOf(trusted, shown);
  const present = WEIGHTS.filter(([key]) => values[key] !== null);
  const weightLeft = present.reduce((sum, [, weight]) => sum + weight, 0);
  const breakdown = present.map(([key, hundredths]) => {
    const value = values[key] ?? 0;
    const weight = quotient(decimal(hundredths), decimal(weightLeft), 4);
    return { key, value, weight, points: rounded(times(decimal(value), decimal(weight)), 2) };
  });
  const sum = breakdown.reduce((total, { points }) => plus(total, decimal(points)), decimal(0));
  const reasons = preliminaryReasons(weightLeft, shown);
  return {
    value: rounded(sum, 1),
    preliminary: reasons.length > 0,
    preliminary_reasons: reasons,
    coverage: quotient(decimal(weightLeft), decimal(100), 2),
    formula: FORMULA,
    breakdown,
  };
}

/** How many people an entry reaches: the subscribers of a channel, the monthly users of a bot or mini app. */
export function audienceOf(shown: ShownMetrics): number | null {
  if (shown.kind === 'channel') return shown.metrics?.subscribers ?? null;
  return shown.metrics?.monthly_users ?? null;
}

function valuesOf(trusted: Pick<Content, 'verified' | 'flags'>, shown: ShownMetrics) {
  const audience = audienceOf(shown);
  const growth = shown.metrics?.growth.d30?.pct ?? null;
  return {
    audience: audience === null ? null : logarithmic(audience, FULL_AUDIENCE),
    engagement: engagementOf(shown),
    growth: growth === null ? null : part(plus(decimal(50), times(decimal(2.5), decimal(growth)))),
    activity: activityOf(shown),
    trust: shown.metrics === null ? null : trustOf(trusted),
  } satisfies Record<Part, number | null>;
}

function engagementOf(shown: ShownMetrics): number | null {
  if (shown.kind === 'channel') {
    const rate = shown.metrics?.err_pct ?? null;
    return rate === null ? null : part(times(decimal(100), decimal(rate)), decimal(40));
  }
  const rating = shown.metrics?.rating ?? null;
  if (rating === null) return null;
  const count = decimal(rating.count);
  // 100 x value / 5, weighed down while few have rated.
  return part(times(times(decimal(20), decimal(rating.value)), count), plus(count, decimal(20)));
}

function activityOf(shown: ShownMetrics): number | null {
  if (shown.kind === 'channel') {
    const posts = shown.metrics?.posts_per_week ?? null;
    return posts === null ? null : part(times(decimal(100), decimal(posts)), decimal(21));
  }
  const mentions = shown.metrics?.mentions_30d ?? null;
  return mentions === null ? null : logarithmic(mentions, FULL_MENTIONS);
}

function trustOf({ verified, flags }: Pick<Content, 'verified' | 'flags'>): number {
  if (flags.includes('scam') || flags.includes('fake')) return 0;
  if (flags.includes('restricted')) return 20;
  return verified ? 100 : 60;
}

/**
 * 100 x log10(1 + count) / log10(1 + full). Doubles are near enough here: no integer below `full` comes within their
 * error of a place where the rounding turns (test/unit/projections/listings/score.test.ts proves it with integers).
 */
function logarithmic(count: number, full: number): number {
  return part(decimal((100 * Math.log10(1 + count)) / Math.log10(1 + full)));
}

/** A part's value, `dividend` / `divisor`, within 0 to 100 and to 0.1. */
function part(dividend: Decimal, divisor: Decimal = decimal(1)): number {
  // The bounds are tenths themselves, so it is the same to round first and to clamp first.
  return Math.max(0, Math.min(100, quotient(dividend, divisor, 1)));
}

function preliminaryReasons(weightLeft: number, shown: ShownMetrics): Score['preliminary_reasons'] {
  const first = shown.metrics?.history.at(0);
  const newest = shown.metrics?.history.at(-1);
  const settled = first && newest && daysBetween(first.day, newest.day) >= SETTLED_HISTORY_DAYS;
  return [
    ...(weightLeft < 100 ? (['missing_inputs'] as const) : []),
    ...(settled ? [] : (['short_history'] as const)),
    ...((audienceOf(shown) ?? 0) < SETTLED_AUDIENCE ? (['small_sample'] as const) : []),
  ];
}
