import { describe, expect, test } from 'vitest';

import { together } from '../../../src/platform/together.ts';

describe('calls that share one piece of work', () => {
  test('are those of one turn of the event loop, and each gets its own answer', async () => {
    const shared: number[][] = [];
    const double = together(async (asked: readonly number[]) => {
      shared.push([...asked]);
      return asked.map((one) => 2 * one);
    });
    expect(await Promise.all([double(1), double(2), double(3)])).toEqual([2, 4, 6]);
    expect(await double(4)).toBe(8);
    expect(shared).toEqual([[1, 2, 3], [4]]);
  });

  test('fail together, and the next ones do not', async () => {
    let isBroken = true;
    const answer = together(async (asked: readonly string[]) => {
      if (isBroken) throw new Error('broken');
      return asked;
    });
    const failed = await Promise.allSettled([answer('a'), answer('b')]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isBroken = false;
    expect(await answer('c')).toBe('c');
  });
});
