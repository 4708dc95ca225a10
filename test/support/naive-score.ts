import type { Content, Score } from '../../projections/listings/document.ts';
import type { ShownMetrics } from '../../projections/listings/metrics.ts';
import { add, atLeast, divide, fraction, fromText, multiply, nearest, type Rational } from './rational.ts';

interface Row {
  readonly key: Score['breakdown'][number]['key'];
  readonly hundredths: number;
  readonly tenths: bigint;
}

/**
 * Formula 2026-1 a second time, read off docs/reference/score.md without a look at the first: exact fractions
 * everywhere, and logarithms by comparing powers of integers. It and the real one check each other.
 */
export function naiveScore(trusted: Pick<Content, 'verified' | 'flags'>, shown: ShownMetrics): Score {
  const rows: Row[] = [];
  const { metrics } = shown;
  if (shown.metrics !== null && metrics !== null) {
    const audience = shown.kind === 'channel' ? shown.metrics.subscribers : shown.metrics.monthly_users;
    rows.push({ key: 'audience', hundredths: 30, tenths: logarithmTenths(audience, 1_000_001) });
    if (shown.kind === 'channel') {
      if (shown.metrics.err_pct !== null) {
        const value = divide(multiply(fraction(100), fromText(shown.metrics.err_pct)), fraction(40));
        rows.push({ key: 'engagement', hundredths: 25, tenths: clampedTenths(value) });
      }
    } else if (shown.metrics.rating !== null) {
      const stars = divide(fromText(shown.metrics.rating.value), fraction(5));
      const count = fraction(shown.metrics.rating.count);
      const trustInCount = divide(count, add(count, fraction(20)));
      const value = multiply(fraction(100), multiply(stars, trustInCount));
      rows.push({ key: 'engagement', hundredths: 25, tenths: clampedTenths(value) });
    }
    const growth = metrics.growth.d30 === null ? null : metrics.growth.d30.pct;
    if (growth !== null) {
      const value = add(fraction(50), multiply(fraction(5, 2), fromText(growth)));
      rows.push({ key: 'growth', hundredths: 15, tenths: clampedTenths(value) });
    }
    if (shown.kind === 'channel') {
      if (shown.metrics.posts_per_week !== null) {
        const value = divide(multiply(fraction(100), fromText(shown.metrics.posts_per_week)), fraction(21));
        rows.push({ key: 'activity', hundredths: 15, tenths: clampedTenths(value) });
      }
    } else if (shown.metrics.mentions_30d !== null) {
      const tenths = logarithmTenths(shown.metrics.mentions_30d, 1_001);
      rows.push({ key: 'activity', hundredths: 15, tenths });
    }
    rows.push({ key: 'trust', hundredths: 15, tenths: trustTenths(trusted) });
  }
  return assemble(rows, shown);
}

function assemble(rows: readonly Row[], { metrics }: ShownMetrics): Score {
  const left = rows.reduce((sum, row) => sum + row.hundredths, 0);
  let sum = fraction(0);
  const breakdown = rows.map(({ key, hundredths, tenths }) => {
    const tenThousandths = nearest(fraction(hundredths, left), 10_000);
    const points = nearest(multiply(fraction(tenths, 10), fraction(tenThousandths, 10_000)), 100);
    sum = add(sum, fraction(points, 100));
    return {
      key,
      value: Number(tenths) / 10,
      weight: Number(tenThousandths) / 10_000,
      points: Number(points) / 100,
    };
  });
  const reasons: Score['preliminary_reasons'] = [];
  if (left < 100) reasons.push('missing_inputs');
  const days = metrics === null ? [] : metrics.history.map(({ day }) => Date.parse(day) / 86_400_000);
  if (days.length === 0 || Math.max(...days) - Math.min(...days) < 14) reasons.push('short_history');
  const audience =
    metrics === null ? 0 : 'subscribers' in metrics ? metrics.subscribers : metrics.monthly_users;
  if (audience < 50) reasons.push('small_sample');
  return {
    value: Number(nearest(sum, 10)) / 10,
    preliminary: reasons.length > 0,
    preliminary_reasons: reasons,
    coverage: left / 100,
    formula: '2026-1',
    breakdown,
  };
}

/**
 * 100 x log(1 + count) / log(base), to tenths and clamped, without logarithms: it is at least k - 1/2 tenths where
 * (1 + count) ^ 2000 is at least base ^ (2k - 1).
 */
export function logarithmTenths(count: number, base: number): bigint {
  const power = (BigInt(count) + 1n) ** 2000n;
  const thresholds = thresholdsOf(base);
  let low = 0;
  let high = 1000;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (power >= (thresholds[middle] ?? 0n)) low = middle;
    else high = middle - 1;
  }
  return BigInt(low);
}

const thresholdsByBase = new Map<number, readonly bigint[]>();

function thresholdsOf(base: number): readonly bigint[] {
  const known = thresholdsByBase.get(base);
  if (known) return known;
  const square = BigInt(base) ** 2n;
  const thresholds = [0n, BigInt(base)];
  while (thresholds.length <= 1000) thresholds.push((thresholds.at(-1) ?? 0n) * square);
  thresholdsByBase.set(base, thresholds);
  return thresholds;
}

function clampedTenths(value: Rational): bigint {
  if (atLeast(fraction(0), value)) return 0n;
  if (atLeast(value, fraction(100))) return 1000n;
  return nearest(value, 10);
}

function trustTenths({ verified, flags }: Pick<Content, 'verified' | 'flags'>): bigint {
  const has = (flag: string) => flags.some((held) => held === flag);
  if (has('scam') || has('fake')) return 0n;
  if (has('restricted')) return 200n;
  return verified ? 1000n : 600n;
}
