import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import {
  channelMetrics,
  type BotMetrics,
  type ChannelMetrics,
  type Content,
} from '../../../../projections/listings/document.ts';
import { FORMULA, scoreOf } from '../../../../projections/listings/score.ts';
import { logarithmTenths } from '../../../support/naive-score.ts';

const plain: Pick<Content, 'verified' | 'flags'> = { verified: false, flags: [] };

const channel: ChannelMetrics = {
  measured_at: '2026-01-31T10:00:00.000Z',
  subscribers: 1_000_000,
  avg_views: null,
  avg_views_24h: null,
  err_pct: 40,
  er_pct: null,
  posts_per_week: 21,
  mentions_30d: null,
  growth: { d1: null, d7: null, d30: { abs: 1, pct: 20 } },
  history: [
    { day: '2026-01-01', value: 999_999 },
    { day: '2026-01-31', value: 1_000_000 },
  ],
};

const bot: BotMetrics = {
  measured_at: '2026-01-31T10:00:00.000Z',
  monthly_users: 999,
  commands_count: null,
  inline: null,
  mentions_30d: 1_000,
  rating: { value: 4.5, count: 60 },
  growth: { d1: null, d7: null, d30: null },
  history: [{ day: '2026-01-31', value: 999 }],
};

const scoreOfChannel = (changes: Partial<ChannelMetrics>, trusted = plain) =>
  scoreOf(trusted, { kind: 'channel', metrics: { ...channel, ...changes } });
const scoreOfBot = (changes: Partial<BotMetrics>) =>
  scoreOf(plain, { kind: 'bot', metrics: { ...bot, ...changes } });
const valueOf = (score: ReturnType<typeof scoreOf>, key: string) =>
  score.breakdown.find((part) => part.key === key)?.value;

describe('the catalog score', () => {
  test('a verified channel that is full in every part has 100, and nothing is preliminary', () => {
    expect(scoreOfChannel({}, { verified: true, flags: [] })).toEqual({
      value: 100,
      preliminary: false,
      preliminary_reasons: [],
      coverage: 1,
      formula: FORMULA,
      breakdown: [
        { key: 'audience', value: 100, weight: 0.3, points: 30 },
        { key: 'engagement', value: 100, weight: 0.25, points: 25 },
        { key: 'growth', value: 100, weight: 0.15, points: 15 },
        { key: 'activity', value: 100, weight: 0.15, points: 15 },
        { key: 'trust', value: 100, weight: 0.15, points: 15 },
      ],
    });
  });

  test.each(['channel', 'bot', 'miniapp'] as const)(
    'a %s without metrics has a score of 0, however verified it is, and every reason to be preliminary',
    (kind) => {
      expect(scoreOf({ verified: true, flags: [] }, { kind, metrics: null })).toEqual({
        value: 0,
        preliminary: true,
        preliminary_reasons: ['missing_inputs', 'short_history', 'small_sample'],
        coverage: 0,
        formula: FORMULA,
        breakdown: [],
      });
    },
  );

  test('a missing input drops its part, and the weights of the others are renormalised', () => {
    const { breakdown, coverage, preliminary_reasons } = scoreOfChannel({ err_pct: null });
    expect(breakdown.map(({ key, weight }) => [key, weight])).toEqual([
      ['audience', 0.4],
      ['growth', 0.2],
      ['activity', 0.2],
      ['trust', 0.2],
    ]);
    expect(coverage).toBe(0.75);
    expect(preliminary_reasons).toEqual(['missing_inputs']);
  });

  test('a history is short until its newest day is 14 days after its first', () => {
    const reasonsWith = (day: string) =>
      scoreOfChannel({
        history: [
          { day, value: 1 },
          { day: '2026-01-31', value: 2 },
        ],
      }).preliminary_reasons;
    expect(reasonsWith('2026-01-17')).toEqual([]);
    expect(reasonsWith('2026-01-18')).toEqual(['short_history']);
  });

  test('the value at every place where rounding turns is right, by integers alone', () => {
    for (const full of [1_000_000, 1_000]) {
      for (let tenths = 1; tenths <= 1000; tenths += 1) {
        const turning = Math.floor((full + 1) ** ((2 * tenths - 1) / 2000)) - 1;
        for (const count of [turning - 1, turning, turning + 1, turning + 2].filter((near) => near >= 0)) {
          const score =
            full === 1_000_000
              ? valueOf(scoreOfBot({ monthly_users: count }), 'audience')
              : valueOf(scoreOfBot({ mentions_30d: count }), 'activity');
          expect(score).toBe(Number(logarithmTenths(count, full + 1)) / 10);
        }
      }
    }
  });

  test('the example of docs/reference/score.md is what the formula gives', () => {
    const page = readFileSync(new URL('../../../../docs/reference/score.md', import.meta.url), 'utf8');
    const example = (name: string): unknown =>
      JSON.parse(new RegExp(`\`\`\`json ${name}\n([^]*?)\`\`\``).exec(page)?.[1] ?? '');
    const metrics = channelMetrics.parse(example('metrics'));
    expect(scoreOf(example('entry') as typeof plain, { kind: 'channel', metrics })).toEqual(example('score'));
    expect(page).toContain(`## Formula ${FORMULA}`);
  });
});
