import { expect, test } from 'vitest';

import { RetryableError } from '../../../src/platform/errors.ts';
import { NOTHING_BESIDE, type LiveAlias } from '../../../src/stores/aliases.ts';
import { servableVersions, refuseUnservable } from '../../../src/stores/serving-processes.ts';

const alias = (version: number): LiveAlias => ({
  version,
  collection: `listings@${version}`,
  index: null,
  folds: {},
  token: 'any',
  ...NOTHING_BESIDE,
});

const RENDERS = servableVersions([
  { name: 'listings', version: 2 },
  { name: 'listings', version: 1 },
  { name: 'monitor', version: 3 },
]);

test('a process has answers for the folds that it has, kept ones too', () => {
  expect(RENDERS).toEqual({ listings: [2, 1], monitor: [3] });
});

test('a process that has no answers for the live build refuses to serve it for as long as it is live', async () => {
  let live: LiveAlias | null = null;
  const read = refuseUnservable(async () => live, RENDERS);
  expect(await read('listings')).toBeNull();
  live = alias(3);
  await expect(read('listings')).rejects.toThrow(RetryableError);
  await expect(read('listings')).rejects.toThrow(
    /^listings@3 is live, and this release has no answers for it/,
  );
  live = alias(1);
  expect(await read('listings')).toBe(live);
});
