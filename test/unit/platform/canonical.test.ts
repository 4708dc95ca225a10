import canonicalize from 'canonicalize';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { canonical } from '../../../src/platform/canonical.ts';
import type { Json } from '../../../src/platform/json.ts';

/** What is written the quick way is what RFC 8785 asks for: the package has it to the letter. */

function byTheLetter(value: Json): string | null {
  try {
    return canonicalize(value) ?? null;
  } catch {
    return null;
  }
}

function ours(value: Json): string | null {
  try {
    return canonical(value);
  } catch {
    return null;
  }
}

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '\ud800',
    'a\udfff',
    String.raw`\ud800`,
    String.raw`\\ud`,
    '\u2028',
    '\u007f',
    '😀',
    '"',
    'é',
  ),
);
const key = fc.oneof(
  text,
  fc.constantFrom('__proto__', 'toJSON', 'constructor', '10', '9', '01', '-1', 'b', 'a', 'é', '😀'),
);
const number = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.constantFrom(-0, 1e21, 1e-7, 5e-324, Number.POSITIVE_INFINITY, Number.NaN),
);
const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    number,
    text,
    fc.constantFrom<Json>(null, true, false),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie('value')), { maxLength: 6 }).map((pairs) => Object.fromEntries(pairs)),
  ),
}));

test('any value has the text that the RFC gives it, or none', () => {
  fc.assert(
    fc.property(value, (one) => {
      expect(ours(one)).toBe(byTheLetter(one));
    }),
    { numRuns: 5000 },
  );
});

test('what is nested deeper than anybody would go has its text all the same', () => {
  let deep: Json = 1;
  for (let level = 0; level < 20_000; level += 1) deep = level % 2 === 0 ? [deep] : { a: deep };
  expect(canonical(deep)).toBe(canonicalize(deep));
});

test('keys stand in order however many an object has', () => {
  const names = fc.uniqueArray(fc.string({ unit: fc.constantFrom('a', 'b', 'B', 'é', '😀'), minLength: 1 }), {
    maxLength: 40,
    size: 'max',
  });
  fc.assert(
    fc.property(names, (given) => {
      const object = Object.fromEntries(given.map((name, at) => [name, at]));
      expect(canonical(object)).toBe(canonicalize(object));
    }),
  );
});
