import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { isWellFormed, newKey, newKeyId } from '../../../../src/access/keys/key-format.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

describe('the form of a key', () => {
  test('a new key has the prefix, 30 random characters and 6 of checksum, and is well formed', () => {
    const key = newKey();
    expect(key).toMatch(/^cat_live_[0-9A-Za-z]{36}$/);
    expect(isWellFormed(key)).toBe(true);
  });

  test('the checksum is the CRC-32 of the random part, big-endian in base62, padded with zeros', () => {
    // Worked out with Python's zlib.crc32: 0x77e5db82 and, with a zero in front, 0x209eb4ed.
    expect(isWellFormed(`cat_live_${'0'.repeat(30)}2C8GjS`)).toBe(true);
    expect(isWellFormed(`cat_live_${'3'.repeat(30)}0b2IQP`)).toBe(true);
  });

  test('no single changed character goes unnoticed', () => {
    const key = newKey();
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: key.length - 1 }),
        fc.constantFrom(...BASE62.split('')),
        (place, character) => {
          const changed = key.slice(0, place) + character + key.slice(place + 1);
          expect(isWellFormed(changed)).toBe(changed === key);
        },
      ),
    );
  });

  test.each([
    ['blank', ''],
    ['no prefix', newKey().slice('cat_live_'.length)],
    ['a prefix in capitals', newKey().replace('cat_live_', 'CAT_LIVE_')],
    ['a space inside', newKey().replace(/^(.{20})./, '$1 ')],
    ['a line feed at the end', `${newKey()}\n`],
    ['one character more', `${newKey()}0`],
    ['one character less', newKey().slice(0, -1)],
    ['letters beyond ASCII', newKey().replace(/^(.{20})./, '$1е')],
    ['4 KB', 'cat_live_'.padEnd(4096, '0')],
  ])('%s is not well formed', (_, text) => {
    expect(isWellFormed(text)).toBe(false);
  });

  test('the public id of a key is short and tells nothing of the key', () => {
    expect(newKeyId()).toMatch(/^k_[0-9A-Za-z]{10}$/);
  });
});
