import { expect, test } from 'vitest';

import { createPageSize } from '../../../../src/projecting/search/page-size.ts';

test('a page has 4,000 documents as long as an engine takes it in within 10 s', () => {
  const size = createPageSize();
  for (const ms of [1, 5000, 9000]) {
    size.took(ms);
    expect(size.documents).toBe(4000);
  }
});

test('what takes longer is halved, down to 250', () => {
  const size = createPageSize();
  const sizes = Array.from({ length: 5 }, () => {
    size.took(10_001);
    return size.documents;
  });
  expect(sizes).toEqual([2000, 1000, 500, 250, 250]);
});

test('after a failure pages begin with 250, and double while they are quick', () => {
  const size = createPageSize();
  size.failed();
  const sizes = [0, 5000, 5001, 1, 1, 1].map((ms) => {
    size.took(ms);
    return size.documents;
  });
  expect(sizes).toEqual([500, 1000, 1000, 2000, 4000, 4000]);
});
