import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { channelMetrics, type BotMetrics, type Content } from '../../../../projections/listings/document.ts';
import { FORMULA, scoreOf } from '../../../../projections/listings/score.ts';
import { logarithmTenths } from '../../../support/naive-score.ts';

const plain: Pick<Content, 'verified' | 'flags'> = { verified: false, flags: [] };

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

const scoreOfBot = (changes: Partial<BotMetrics>) =>
  scoreOf(plain, { kind: 'bot', metrics: { ...bot, ...changes } });
const valueOf = (score: ReturnType<typeof scoreOf>, key: string) =>
  score.breakdown.find((part) => part.key === key)?.value;

describe('the catalog score', () => {
  test.each([
    ['2026-01-17', false],
    ['2026-01-18', true],
  ])('a history from %s to 2026-01-31 is short: %s', (day, isShort) => {
    const history = [day, '2026-01-31'].map((each) => ({ day: each, value: 1 }));
    expect(scoreOfBot({ history }).preliminary_reasons.includes('short_history')).toBe(isShort);
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
