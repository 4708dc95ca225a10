import { expect, test } from 'vitest';

import { roughSize } from '../../../src/platform/rough-size.ts';

test('a rough size grows with what is measured', () => {
  expect(roughSize({ list: [1, 2, 3], text: 'abc', none: null })).toBeGreaterThan(roughSize({ list: [1] }));
  expect(roughSize('a'.repeat(1000))).toBeGreaterThan(2000);
});
