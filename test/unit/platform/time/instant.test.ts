import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { parseInstant } from '../../../../src/platform/time/instant.ts';

/** The same instant in the form that is never kept as it is. */
function inGeneralForm(text: string): string {
  return text.replace(/Z$/, '+00:00');
}

const twoDigits = (maximum: number): fc.Arbitrary<string> =>
  fc.integer({ min: 0, max: maximum }).map((value) => String(value).padStart(2, '0'));

test('what looks as we keep it is read as the same instant in another form is, valid or not', () => {
  const looksKept = fc
    .tuple(
      fc.integer({ min: 0, max: 9999 }),
      twoDigits(14),
      twoDigits(33),
      twoDigits(25),
      twoDigits(61),
      twoDigits(61),
      fc.integer({ min: 0, max: 999 }),
    )
    .map(([year, month, day, hour, minute, second, ms]) => {
      const [yyyy, fraction] = [String(year).padStart(4, '0'), String(ms).padStart(3, '0')];
      return `${yyyy}-${month}-${day}T${hour}:${minute}:${second}.${fraction}Z`;
    });
  fc.assert(
    fc.property(looksKept, (text) => {
      expect(parseInstant(text)).toBe(parseInstant(inGeneralForm(text)));
    }),
    { numRuns: 5000 },
  );
});

test.each([0, 1900, 1999, 2000, 2023, 2024, 9999])('the year %i has the days of its calendar', (year) => {
  const yyyy = String(year).padStart(4, '0');
  const numbers = Array.from({ length: 34 }, (_, number) => String(number).padStart(2, '0'));
  const days = numbers
    .slice(0, 14)
    .flatMap((month) => numbers.map((day) => `${yyyy}-${month}-${day}T23:59:59.999Z`));
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  expect(days.filter((text) => parseInstant(text) === text)).toHaveLength(isLeap ? 366 : 365);
  expect(days.map(parseInstant)).toEqual(days.map((text) => parseInstant(inGeneralForm(text))));
});

test('nothing around an instant is overlooked', () => {
  const text = '2026-11-20T10:00:00.000Z';
  expect(parseInstant(text)).toBe(text);
  for (const other of [`${text}\n`, ` ${text}`, text.slice(0, -1), `1${text}`]) {
    expect(parseInstant(other)).toBeNull();
  }
});
