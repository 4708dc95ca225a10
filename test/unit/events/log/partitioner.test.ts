import { describe, expect, test } from 'vitest';

import { murmur2, partitionOf } from '../../../../src/events/log/partitioner.ts';

describe('the partition of a key', () => {
  // From Kafka's own UtilsTest.testMurmur2.
  test.each([
    ['21', -973932308],
    ['foobar', -790332482],
    ['a-little-bit-long-string', -985981536],
    ['a-little-bit-longer-string', -1486304829],
    ['lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8', -58897971],
    ['abc', 479470107],
  ])('the hash of %s is the one that Kafka publishes', (key, hash) => {
    expect(murmur2(new TextEncoder().encode(key))).toBe(hash);
  });

  test('the sign bit of the hash is cut off, and the rest divided by the number of partitions', () => {
    expect(partitionOf('abc', 6)).toBe(479470107 % 6);
    expect(partitionOf('21', 6)).toBe((-973932308 & 0x7fffffff) % 6);
  });

  test('bytes are hashed, not characters', () => {
    const bytes = new TextEncoder().encode('новости-ии');
    expect(partitionOf('новости-ии', 1000)).toBe((murmur2(bytes) & 0x7fffffff) % 1000);
  });

  test('a view into a larger buffer is hashed alone', () => {
    const larger = new TextEncoder().encode('..foobar..');
    expect(murmur2(larger.subarray(2, 8))).toBe(-790332482);
  });

  test('a record without a key goes to partition 0', () => {
    expect(partitionOf(null, 6)).toBe(0);
  });
});
