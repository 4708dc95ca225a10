import { describe, expect, test } from 'vitest';

import { fit } from '../../../src/analysis/column.ts';
import { toCsv } from '../../../src/analysis/lines.ts';

describe('a value that does not fit its column', () => {
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
  ] as const)('is shown as nothing: %s %j', (type, value) => {
    expect(fit(type, value)).toBeNull();
  });
});

test('an instant is shown in UTC, whatever its offset', () => {
  expect(fit('time', '2026-11-20T12:00:00+02:00')).toBe('2026-11-20T10:00:00.000Z');
});

test('CSV tells null from the empty text, and quotes what has to be quoted alone', () => {
  expect(toCsv([null, '', 'a', 'a,b', 'a"b', 'a\nb', 1.5, false, ['x'], { a: null }])).toBe(
    ',"",a,"a,b","a""b","a\nb",1.5,false,"[""x""]","{""a"":null}"',
  );
});
