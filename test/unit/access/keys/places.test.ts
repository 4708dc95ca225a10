import { describe, expect, test } from 'vitest';

import { forEachTest } from '../../../support/for-each-test.ts';
import { openKeys } from './stage.ts';

const stage = forEachTest(openKeys);

async function placeOf(key: string): Promise<string | null> {
  const checked = await stage.keys.check(key);
  return checked.outcome === 'active' ? checked.place : null;
}

async function rotated(
  id: string,
  overlapMs: number,
): Promise<{ readonly key: string; readonly id: string }> {
  const answer = await stage.keys.rotate('acme', id, { overlapMs });
  if (answer.outcome !== 'rotated') throw new Error(answer.outcome);
  return answer;
}

const HOUR = 3_600_000;

describe('an account has five permanent places', () => {
  test('its first keys take them in their order, and another account has others', async () => {
    for (let place = 1; place <= 5; place += 1) {
      expect(await placeOf((await stage.created()).key)).toBe(`acme/${place}`);
    }
    expect(await placeOf((await stage.created('another')).key)).toBe('another/1');
  });

  test.each([0, HOUR])(
    'a key rotated with an overlap of %i ms leaves its place to the new one',
    async (overlapMs) => {
      await stage.created();
      const old = await stage.created();
      const fresh = await rotated(old.id, overlapMs);
      expect(await placeOf(fresh.key)).toBe('acme/2');
      expect(await placeOf(old.key)).toBe(overlapMs === 0 ? null : 'acme/2');
      expect(await placeOf((await rotated(fresh.id, 0)).key)).toBe('acme/2');
    },
  );

  test('a place where the replaced key still works is not free, though its successor was revoked', async () => {
    const old = await stage.created();
    const fresh = await rotated(old.id, HOUR);
    await stage.keys.revoke('acme', fresh.id);
    expect(await placeOf((await stage.created()).key)).toBe('acme/2');
    expect(await placeOf(old.key)).toBe('acme/1');
  });
});
