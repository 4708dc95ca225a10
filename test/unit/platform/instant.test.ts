import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { parseInstant, toInstant } from '../../../src/platform/instant.ts';

const DAY_MS = 86_400_000;
const instants = fc
  .date({ min: new Date('0000-01-01T00:00:00.000Z'), max: new Date('9999-12-31T23:59:59.999Z') })
  .filter((date) => !Number.isNaN(date.getTime()))
  .map((date) => date.toISOString());

describe('an instant in the form in which it is kept', () => {
  test('is read as it stands', () => {
    fc.assert(fc.property(instants, (text) => parseInstant(text) === text));
  });

  test('on every day of four years, and the two around them, is read as it stands', () => {
    const first = Date.parse('1999-12-31T23:59:59.999Z');
    for (let ms = first; ms < first + 1464 * DAY_MS; ms += DAY_MS) {
      const text = String(toInstant(ms));
      expect(parseInstant(text)).toBe(text);
    }
  });

  test('with another digit somewhere is what it says, or is refused: never another moment', () => {
    fc.assert(
      fc.property(instants, fc.nat({ max: 23 }), fc.nat({ max: 9 }), (text, place, digit) => {
        const changed = /\d/.test(text.charAt(place))
          ? text.slice(0, place) + String(digit) + text.slice(place + 1)
          : text;
        // A leap second is read as the second after it.
        fc.pre(changed.slice(17, 19) !== '60');
        const ms = Date.parse(changed);
        const isThere = !Number.isNaN(ms) && toInstant(ms) === changed;
        expect(parseInstant(changed)).toBe(isThere ? changed : null);
      }),
    );
  });

  test.each([
    '2026-02-29T00:00:00.000Z',
    '2026-02-30T00:00:00.000Z',
    '2100-02-29T00:00:00.000Z',
    '2026-04-31T00:00:00.000Z',
    '2026-00-01T00:00:00.000Z',
    '2026-13-01T00:00:00.000Z',
    '2026-01-00T00:00:00.000Z',
    '2026-01-01T24:00:00.000Z',
    '2026-01-01T00:60:00.000Z',
    '2026-01-01T00:00:61.000Z',
  ])('at no moment that there is, it is refused: %s', (text) => {
    expect(parseInstant(text)).toBeNull();
  });
});
