import { expect, test } from 'vitest';

import { fit } from '../../../src/analysis/column.ts';
import { toCsv } from '../../../src/analysis/csv-and-ndjson.ts';

test.each([
  ['text', 5],
  ['integer', 1.5],
  ['integer', 2 ** 53],
  ['integer', '5'],
  ['number', Number.NaN],
  ['boolean', 'true'],
  ['time', '2026-11-20'],
  ['time', 5],
  ['day', '2026-13-01'],
  ['day', '2026-11-20T00:00:00Z'],
  ['texts', 'a'],
  ['json', undefined],
] as const)('a value that does not fit its column is shown as nothing: %s %j', (type, value) => {
  expect(fit(type, value)).toBeNull();
});

test('an instant is shown in UTC, whatever its offset', () => {
  expect(fit('time', '2026-11-20T12:00:00+02:00')).toBe('2026-11-20T10:00:00.000Z');
});

test('CSV tells null from the empty text, and quotes what has to be quoted alone', () => {
  expect(toCsv([null, '', 'a', 'a,b', 'a"b', 'a\nb', 1.5, false, ['x'], { a: null }], 'guarded')).toBe(
    ',"",a,"a,b","a""b","a\nb",1.5,false,"[""x""]","{""a"":null}"',
  );
});

test('a text that a spreadsheet would compute begins with an apostrophe; a number stays one', () => {
  const formulas = ['=1+1', '+cmd', '-2+3', '@sum', '\t=1', '\r=1', '\n=1', '＝1'];
  expect(formulas.map((text) => toCsv([text], 'guarded'))).toEqual([
    "'=1+1",
    "'+cmd",
    "'-2+3",
    "'@sum",
    "'\t=1",
    '"\'\r=1"',
    '"\'\n=1"',
    "'＝1",
  ]);
  const numbers = [-1.5, '-12345678901234567890', '+7', '-1e5', "'a", 'a=b'];
  expect(toCsv(numbers, 'guarded')).toBe("-1.5,-12345678901234567890,+7,-1e5,'a,a=b");
  expect(toCsv(['=1+1', '-2+3'], 'raw')).toBe('=1+1,-2+3');
});
