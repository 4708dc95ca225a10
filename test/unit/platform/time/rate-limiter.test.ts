import { expect, test } from 'vitest';

import { groupOf } from '../../../../src/platform/time/rate-limiter.ts';

test.each([
  ['2001:db8::1', '2001:db8:0:0:ffff::9'],
  ['2001:0DB8:0:0::1', '2001:db8::2'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:c000:201', '192.0.2.1'],
  ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
  ['fe80::1%eth0', 'fe80::2'],
  // No addresses, all of them.
  ['192.0.2.1:50001', '192.0.2.1:50002'],
  ['_a', 'unknown'],
])('takes %s and %s for one', (a, b) => {
  expect(groupOf(a)).toBe(groupOf(b));
});

test('takes networks of others for others', () => {
  expect(groupOf('2001:db8::1')).not.toBe(groupOf('2001:db8:0:1::1'));
  expect(groupOf('192.0.2.1')).not.toBe(groupOf('192.0.2.2'));
});
