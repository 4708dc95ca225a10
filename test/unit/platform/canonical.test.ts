import { expect, test } from 'vitest';

import { canonical } from '../../../src/platform/canonical.ts';
import type { Json } from '../../../src/platform/json-value.ts';

test.each<Json>([Number.NaN, Infinity, '\ud800', { a: ['x\udfff'] }])('%j has no text', (value) => {
  expect(() => canonical(value)).toThrow();
});

// The examples of RFC 8785, sections 3.2.2 and 3.2.3, and of its appendix B.
test('the examples of the RFC have its texts', () => {
  const literals = { string: '\u20ac$\u000f\u000aA\'\u0042\u0022\u005c\\"/', literals: [null, true, false] };
  expect(canonical(literals)).toBe(
    String.raw`{"literals":[null,true,false],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
  );
  const sorted = ['\u000d', '1', '10', '9', '\u0080', '\u00f6', '\u20ac', '\ud83d\ude00', '\ufb33'];
  expect(canonical(Object.fromEntries(sorted.toReversed().map((key) => [key, ''])))).toBe(
    `{${sorted.map((key) => `${JSON.stringify(key)}:""`).join(',')}}`,
  );
  expect(canonical([-0, 5e-324, -5e-324, 2 ** 53, 1e21, 9.999999999999997e22, 0.000001, 1e-7])).toBe(
    '[0,5e-324,-5e-324,9007199254740992,1e+21,9.999999999999997e+22,0.000001,1e-7]',
  );
});

test('a member that is undefined is left out', () => {
  expect(canonical({ a: undefined, b: 1 } as unknown as Json)).toBe('{"b":1}');
});
