import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { nearest, slipsBetween, slipsToBeginning } from '../../../../src/platform/text/edit-distance.ts';

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

describe('slips between two words', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 6 });
  const most = fc.constantFrom(0, 1, 2, 3, Infinity);

  test('are as few as they can be, and too many are not told apart', () => {
    fc.assert(
      fc.property(word, word, most, (a, b, bound) => {
        const slips = fewest(a, b);
        expect(slipsBetween(a, b)).toBe(slips);
        expect(slipsBetween(a, b, bound)).toBe(slips <= bound ? slips : Infinity);
      }),
      { numRuns: 2000 },
    );
  });

  test('to a beginning are the fewest to any of them', () => {
    fc.assert(
      fc.property(word, word, most, (a, b, bound) => {
        const slips = Math.min(...Array.from({ length: b.length + 1 }, (_, at) => fewest(a, b.slice(0, at))));
        expect(slipsToBeginning(a, b)).toBe(slips);
        expect(slipsToBeginning(a, b, bound)).toBe(slips <= bound ? slips : Infinity);
      }),
      { numRuns: 2000 },
    );
  });

  test('are counted in words of any length', () => {
    expect(slipsBetween('ab'.repeat(500), 'ba'.repeat(500), 3)).toBe(2);
    expect(slipsBetween('', 'x'.repeat(300))).toBe(300);
  });

  /** By the definition, from the ends of both words. */
  function fewest(a: string, b: string): number {
    if (a === '' || b === '') return a.length + b.length;
    const isSwapped = a.length > 1 && b.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1);
    return Math.min(
      a.at(-1) === b.at(-1) ? fewest(a.slice(0, -1), b.slice(0, -1)) : Infinity,
      1 + fewest(a.slice(0, -1), b),
      1 + fewest(a, b.slice(0, -1)),
      1 + fewest(a.slice(0, -1), b.slice(0, -1)),
      isSwapped ? 1 + fewest(a.slice(0, -2), b.slice(0, -2)) : Infinity,
    );
  }
});
