import { expect, test } from 'vitest';

import { createPageSize } from '../../../../src/projecting/search/page-size.ts';

const sizes = ({ documents, entries }: ReturnType<typeof createPageSize>) => [documents, entries];

test('an engine that wants few entries at a time gets small puts, however quick it is', () => {
  const size = createPageSize();
  for (let page = 0; page < 5; page += 1) size.took(1, 1000, 1000);
  expect(sizes(size)).toEqual([1000, 250]);
});

test('one that wants many gets as many as it takes in within the time that is aimed at, up to what it wants', () => {
  const size = createPageSize(8000);
  expect(sizes(size)).toEqual([4000, 4000]);
  size.took(4000, 4000, 4000);
  expect(sizes(size)).toEqual([5000, 5000]);
  size.took(6250, 5000, 5000);
  expect(sizes(size)).toEqual([4000, 4000]);
  size.took(1, 4000, 4000);
  expect(sizes(size)).toEqual([8000, 8000]);
});

test('a page that was very quick is followed by one of at most four times as many', () => {
  const size = createPageSize(1_000_000);
  size.took(0, 4000, 4000);
  expect(size.documents).toBe(16_000);
});

test('a page that was not full says when it took too long, and nothing about larger ones', () => {
  const size = createPageSize(8000);
  size.took(1, 3999, 4000);
  expect(size.documents).toBe(4000);
  size.took(10_000, 3999, 4000);
  expect(size.documents).toBe(2000);
});

test('a page that was made ahead tells of its own size, whatever is wanted by then', () => {
  const size = createPageSize(8000);
  size.took(1000, 4000, 4000);
  expect(size.documents).toBe(8000);
  size.took(10_000, 4000, 4000);
  expect(size.documents).toBe(2000);
});

test('what takes very long gets as small as for any engine, and a failure begins there again', () => {
  const size = createPageSize(8000);
  size.took(60_000, 4000, 4000);
  expect(sizes(size)).toEqual([1000, 250]);
  size.took(2500, 1000, 1000);
  expect(sizes(size)).toEqual([2000, 2000]);
  size.failed();
  expect(sizes(size)).toEqual([1000, 250]);
});
