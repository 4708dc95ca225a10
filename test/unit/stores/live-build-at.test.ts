import { expect, test } from 'vitest';

import {
  NOTHING_BESIDE,
  KEPT_SWITCHES,
  liveBuildAt,
  withSwitch,
  type Alias,
} from '../../../src/stores/aliases.ts';
import { words } from '../../support/words.ts';

const FIRST: Alias = { version: 1, collection: 'listings@1', index: null, folds: {}, ...NOTHING_BESIDE };

function switched(alias: Alias, build: string, at: number): Alias {
  const before = alias.collection;
  const switches = withSwitch(alias, { build, before, at });
  return { ...alias, collection: build, before, switches };
}

test('each moment has the build that was made live last', () => {
  const alias = switched(switched(FIRST, 'listings@2', 100), 'listings@1', 200);
  expect([99, 100, 199, 200, 999].map((at) => liveBuildAt(alias, at))).toEqual(
    words('listings@1 listings@2 listings@2 listings@1 listings@1'),
  );
});

test('a build that nothing was switched from has been live all the time', () => {
  expect(liveBuildAt(FIRST, 0)).toBe('listings@1');
});

test('the oldest switches are forgotten, and what was live before them with them', () => {
  let alias = FIRST;
  for (let at = 1; at <= KEPT_SWITCHES + 1; at += 1) alias = switched(alias, `listings@1-b${at + 1}`, at);
  expect(alias.switches).toHaveLength(KEPT_SWITCHES);
  expect(alias.switches.at(0)?.at).toBe(2);
  expect([1, 2].map((at) => liveBuildAt(alias, at))).toEqual([null, 'listings@1-b3']);
});
