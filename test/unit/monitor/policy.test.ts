import { describe, expect, test } from 'vitest';

import { DEFAULT_POLICY, readPolicy } from '../../../src/monitor/policy.ts';

describe('a policy that was written down', () => {
  test('is the default one but for the numbers in it', () => {
    expect(readPolicy('stale_after_s=600, unknown_rounds=5')).toEqual({
      ...DEFAULT_POLICY,
      stale_after_s: 600,
      unknown_rounds: 5,
    });
  });

  test.each([
    ['fail_rounds', /^NAME=NUMBER pairs with the names settle_s, degraded_rounds, /],
    ['fail_rounds=-1', /^NAME=NUMBER/],
    ['fail_rounds=1.5', /^NAME=NUMBER/],
    ['fail_rounds=2;settle_s=20', /^NAME=NUMBER/],
    ['interval_s=60', /^NAME=NUMBER/],
    ['toString=1', /^NAME=NUMBER/],
    ['fail_rounds=2,', /^NAME=NUMBER/],
    ['fail_rounds=2,fail_rounds=3', /^fail_rounds once$/],
    ['fail_rounds=0', /^fail_rounds to be at least 1$/],
    ['settle_s=86401', /^settle_s to be at most 86400$/],
    ['degraded_window=1441', /^degraded_window to be at most 1440$/],
    ['degraded_rounds=11', /^degraded_rounds to be at most degraded_window$/],
    ['settle_s=121', /^stale_after_s to be at least 181: a round and settle_s$/],
  ])('%s is refused, saying what was expected', (text, expected) => {
    expect(readPolicy(text)).toEqual({ expected: expect.stringMatching(expected) });
  });

  test('may have everything at its bound', () => {
    expect(readPolicy('settle_s=0,stale_after_s=60,degraded_rounds=10,reopen_s=0')).toMatchObject({
      settle_s: 0,
      stale_after_s: 60,
    });
  });
});
