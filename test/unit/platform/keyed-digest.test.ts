import { createHmac } from 'node:crypto';

import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { keyedDigest } from '../../../src/platform/keyed-digest.ts';

test('it is HMAC-SHA-256 of the text in UTF-8, whatever text and secret are', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 150 }),
      fc.string({ unit: 'binary', maxLength: 400 }),
      (secret, text) => {
        const expected = createHmac('sha256', secret).update(text).digest('base64url');
        expect(keyedDigest(secret)(text)).toBe(expected);
      },
    ),
  );
});

test('one digest after the other is of its own text', () => {
  const digest = keyedDigest('a secret of tests');
  const first = digest('a');
  expect(digest('b')).not.toBe(first);
  expect(digest('a')).toBe(first);
});
