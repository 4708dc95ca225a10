import { expect, test } from 'vitest';

import { createPageSize } from '../../../../src/projecting/search/page-size.ts';

test('an engine that wants few entries at a time gets small puts, however quick it is', () => {
  const size = createPageSize();
  for (let page = 0; page < 5; page += 1) size.took(1, size.documents);
  expect([size.documents, size.entries]).toEqual([1000, 250]);
});

test('one that wants many gets more after each full page that it was quick with, up to what it wants', () => {
  const size = createPageSize(8000);
  expect([size.documents, size.entries]).toEqual([4000, 4000]);
  size.took(2900, 3999);
  expect(size.documents).toBe(4000);
  size.took(2900, 4000);
  expect([size.documents, size.entries]).toEqual([8000, 8000]);
  size.took(1, 8000);
  expect(size.documents).toBe(8000);
});

test('what takes long gets smaller, and a failure begins with small puts again', () => {
  const size = createPageSize(8000);
  size.took(8001, 4000);
  expect(size.documents).toBe(2000);
  for (let page = 0; page < 3; page += 1) size.took(9000, size.documents);
  expect([size.documents, size.entries]).toEqual([1000, 250]);
  size.took(2000, 1000);
  expect([size.documents, size.entries]).toEqual([2000, 2000]);
  size.failed();
  expect([size.documents, size.entries]).toEqual([1000, 250]);
});
