import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { nearest } from '../../../src/platform/spelling.ts';

describe('the nearest name', () => {
  const names = ['q', 'locale', 'kind', 'category', 'page', 'limit'];

  test.each([
    ['local', 'locale'],
    ['LIMIT', 'limit'],
    ['limti', 'limit'],
    ['pgae', 'page'],
    ['ctaegroy', 'category'],
    ['categories', 'category'],
    ['kinds', 'kind'],
    ['Q', 'q'],
    ['qq', 'q'],
  ])('to %s is %s: the fewest slips, two swapped letters being one', (given, expected) => {
    expect(nearest(given, names)).toBe(expected);
  });

  test.each(['x', 'sort', 'query', 'lang', 'bogus', 'category[$gt]', '', 'l'.repeat(8000)])(
    'to %s is none: a third of the letters may be wrong, three at most, and something must be right',
    (given) => {
      expect(nearest(given, names)).toBeNull();
    },
  );

  test('to a name with any one slip is that name', () => {
    const slips = fc.constantFrom('drop', 'double', 'swap');
    fc.assert(
      fc.property(fc.constantFrom(...names.slice(1)), fc.nat(7), slips, (name, at, slip) => {
        expect(nearest(slipped(name, at % name.length, slip), names)).toBe(name);
      }),
    );
  });

  function slipped(text: string, at: number, slip: string): string {
    const [before, letter = '', after] = [text.slice(0, at), text[at], text.slice(at + 1)];
    if (slip === 'drop') return before + after;
    if (slip === 'double') return before + letter + letter + after;
    return before + after.slice(0, 1) + letter + after.slice(1);
  }
});
