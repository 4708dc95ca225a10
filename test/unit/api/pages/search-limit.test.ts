import { describe, expect, test } from 'vitest';

import { searchLimit } from '../../../../src/api/pages/search/rate-limit.ts';
import { createTestClock } from '../../../support/test-clock.ts';

function setUp(dailyLimit = 1000) {
  const clock = createTestClock();
  const limit = searchLimit({ clock, dailyLimit });
  /** How many more are let through. */
  const room = (address: string) => {
    let taken = 0;
    while (limit.take(address) === null) taken += 1;
    return taken;
  };
  return { clock, limit, room };
}

describe('the limit of searches by address', () => {
  test('lets a burst through, then so many a second, for each address', () => {
    const { clock, room, limit } = setUp();
    expect(room('192.0.2.1')).toBe(40);
    expect(limit.take('192.0.2.1')).toBe(1);
    expect(limit.take('192.0.2.2')).toBeNull();
    clock.advance(3000);
    expect(room('192.0.2.1')).toBe(6);
  });

  test('lets no more through in a UTC day than a key may ask, and says when the next one begins', () => {
    const { clock, room, limit } = setUp(30);
    expect(room('192.0.2.1')).toBe(30);
    const seconds = Number(limit.take('192.0.2.1'));
    expect(seconds).toBe(Math.ceil(86_400 - ((clock.now() / 1000) % 86_400)));
    clock.advance(seconds * 1000);
    expect(limit.take('192.0.2.1')).toBeNull();
  });
});
