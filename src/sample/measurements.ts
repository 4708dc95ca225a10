import { DAY_MS } from '../platform/time/instant.ts';
import type { JsonObject } from '../platform/json-value.ts';
import type { SampleEntry } from './catalog.ts';
import { createRandom, type Random } from './random.ts';

/**
 * Generated metrics: plausible, and nobody's. Audiences are log-normal (a few large, many small), drift by a rate of
 * their own and waver from day to day. What would be a statement about the real thing, and no number that a visitor
 * sees vary (its commands, its platforms), is left out.
 */
interface Measurement {
  /** How long before the end of the history, in milliseconds. */
  readonly ageMs: number;
  /** The fields of its kind. */
  readonly measures: JsonObject;
}

/** Days before the end, oldest first: weekly at first, daily for the last 31; all within the 90 days that are shown. */
const AGES: readonly number[] = [
  ...Array.from({ length: 9 }, (_, week) => 89 - 7 * week),
  ...Array.from({ length: 31 }, (_, day) => 30 - day),
];

/** An entry's history, oldest first. It depends on the seed and on the entry alone, not on the other entries. */
export function* generateMeasurements(entry: SampleEntry, seed: number): Generator<Measurement> {
  const random = createRandom(`${seed}/${entry.slug}`);
  const measure = measureOf(entry, random, random);
  for (const days of AGES) yield { ageMs: days * DAY_MS, measures: measure(days) };
}

/** What an entry shows so many days before the end. */
export type Measure = (daysBefore: number) => JsonObject;

/**
 * `random` decides what stays (how large an entry is, how fast it grows), at once; `noise` what wavers, at every
 * measurement. So the same entry can be measured again from the beginning of its `random`.
 */
export function measureOf(
  { kind, subtype }: Pick<SampleEntry, 'kind' | 'subtype'>,
  random: Random,
  noise: Random,
): Measure {
  if (kind === 'channel') {
    return subtype === 'group' ? groupMeasure(random, noise) : broadcastMeasure(random, noise);
  }
  return kind === 'bot'
    ? appMeasure(random, noise, { median: 1500, sigma: 1.8 })
    : appMeasure(random, noise, { median: 40_000, sigma: 1.5 });
}

function broadcastMeasure(random: Random, noise: Random): Measure {
  const audience = audienceOf(random, noise, { median: 3000, sigma: 1.6, monthlyDrift: 0.05, waver: 0.0008 });
  const viewShare = Math.min(0.9, random.logNormal(0.2, 0.5));
  const reactionPct = Math.min(20, random.logNormal(1.5, 0.6));
  const postsPerWeek = random.logNormal(7, 0.9);
  const mentions = mentionsOf(random, noise);
  return (daysBefore) => {
    const subscribers = audience(daysBefore);
    const views = subscribers * viewShare * noise.logNormal(1, 0.05);
    return {
      subscribers,
      avg_views: Math.round(views),
      avg_views_24h: Math.round(views * (0.7 + 0.2 * noise.uniform())),
      er_pct: rounded(reactionPct * noise.logNormal(1, 0.08), 2),
      posts_per_week: rounded(postsPerWeek * noise.logNormal(1, 0.15), 1),
      mentions_30d: mentions(subscribers),
    };
  };
}

/** A group's messages have no view counters, so it has no average of them. */
function groupMeasure(random: Random, noise: Random): Measure {
  const audience = audienceOf(random, noise, { median: 900, sigma: 1.3, monthlyDrift: 0.04, waver: 0.001 });
  const postsPerWeek = random.logNormal(120, 1.2);
  const mentions = mentionsOf(random, noise);
  return (daysBefore) => {
    const subscribers = audience(daysBefore);
    return {
      subscribers,
      posts_per_week: rounded(postsPerWeek * noise.logNormal(1, 0.2), 1),
      mentions_30d: mentions(subscribers),
    };
  };
}

function appMeasure(random: Random, noise: Random, size: Pick<AudienceTraits, 'median' | 'sigma'>): Measure {
  const audience = audienceOf(random, noise, { ...size, monthlyDrift: 0.1, waver: 0.01 });
  const stars = Math.min(5, Math.max(1, 4.1 + 0.45 * random.normal()));
  const ratedShare = random.logNormal(0.004, 0.8);
  const mentions = mentionsOf(random, noise);
  return (daysBefore) => {
    const users = audience(daysBefore);
    const ratings = Math.round(users * ratedShare);
    return {
      monthly_users: users,
      mentions_30d: mentions(users),
      ...(ratings > 0 ? { rating: { value: rounded(stars, 1), count: ratings } } : {}),
    };
  };
}

interface AudienceTraits {
  readonly median: number;
  readonly sigma: number;
  /** The deviation, from entry to entry, of the logarithm of a month's change. */
  readonly monthlyDrift: number;
  /** The deviation of a day's value from the trend, as a share of it. */
  readonly waver: number;
}

/** No trend is followed further back: nothing grows by a tenth each month for ten years. */
const LONGEST_TREND_DAYS = 365;

function audienceOf(random: Random, noise: Random, traits: AudienceTraits): (daysBefore: number) => number {
  const atTheEnd = Math.min(3_000_000, Math.max(12, random.logNormal(traits.median, traits.sigma)));
  // Growing is a little more common than shrinking.
  const drift = traits.monthlyDrift * (random.normal() + 0.4);
  return (daysBefore) => {
    const trend = atTheEnd * Math.exp((-drift * Math.min(daysBefore, LONGEST_TREND_DAYS)) / 30);
    return Math.round(trend * noise.logNormal(1, traits.waver));
  };
}

/** Mentions grow with the square root of the audience: large entries are not mentioned in proportion. */
function mentionsOf(random: Random, noise: Random): (audience: number) => number {
  const talkedAbout = random.logNormal(0.3, 0.9);
  return (audience) => Math.round(talkedAbout * Math.sqrt(audience) * noise.logNormal(1, 0.1));
}

function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}
