import { expect, test } from 'vitest';

import { canonical } from '../../../src/platform/canonical.ts';
import type { Json } from '../../../src/platform/json-value.ts';

/** The letters of RFC 8785 are the package's; this is what we count on. */

test('equal values have one text: keys by their UTF-16 units, numbers as JavaScript writes them', () => {
  expect(canonical({ é: 1e21, '10': -0, '9': [1.5, null], b: { B: '\u2028' }, a: true })).toBe(
    '{"10":0,"9":[1.5,null],"a":true,"b":{"B":"\u2028"},"é":1e+21}',
  );
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, '\ud800', { a: ['x\udfff'] }] as Json[])(
  '%j has no text',
  (value) => {
    expect(() => canonical(value)).toThrow();
  },
);

test('what is nested deeper than anybody would go has its text all the same', () => {
  let deep: Json = 1;
  for (let level = 0; level < 20_000; level += 1) deep = [deep];
  expect(canonical(deep)).toHaveLength(40_001);
});
