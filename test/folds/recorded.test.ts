import { describe, expect, test } from 'vitest';

import { EQUAL_FOLDS } from '../../projections/equal-folds.ts';
import { PROJECTIONS } from '../../projections/index.ts';
import { foldDigest } from '../../src/compose/fold-sources.ts';
import { collectionOf } from '../../src/projecting/engine/projection.ts';
import { decoded } from '../support/events.ts';
import { madeOf, RECORDED } from '../support/recorded-events.ts';

/**
 * What every fold in projections/equal-folds.ts has made of the events that were recorded here. Where this changes, the
 * fold has changed: raise its version. Where it does not, its new digest may be added there.
 */
const MADE: Readonly<Record<string, { readonly documents: number; readonly digest: string }>> = {
  'listings@1': { documents: 33, digest: '-YaIKZ9fF10apoWA1wHEMwSlI4cuKP7t9kJQ1EdRYas' },
  'listings@2': { documents: 33, digest: 'nYQV587RFB8sTEKUUD4XpsW1snMpER6-BwzEBeiC9fk' },
  'categories@1': { documents: 36, digest: 'qk0Wn6uPBIg0xeLGolBc6ooCw7JeRzEeE1CIK4lPL5g' },
  'monitor@2': { documents: 19, digest: 'sqtqjma0kAUbq8ME9blBFTSsOMKQ1QDvx8ygiSBQd_o' },
};

const events = RECORDED.map(decoded);

const LISTED = PROJECTIONS.map((projection) => [collectionOf(projection), projection] as const).filter(
  ([collection]) => Object.hasOwn(EQUAL_FOLDS, collection),
);

test('folds are listed of read models that there are, none of a version to come', () => {
  const versions = new Map(PROJECTIONS.map(({ name, version }) => [name, version]));
  const listed = Object.keys(EQUAL_FOLDS).map((collection) => collection.split('@'));
  // Those of an earlier version are proven by the release that had it.
  expect(listed.filter(([name = '', version]) => !(Number(version) <= (versions.get(name) ?? 0)))).toEqual(
    [],
  );
});

describe.each(LISTED)('%s', (collection, projection) => {
  test('makes of the recorded events what it has always made', () => {
    expect(madeOf(projection, events)).toEqual(MADE[collection]);
  });

  test('is among the folds that are proven equal', async () => {
    const digest = await foldDigest(projection.name);
    expect(
      EQUAL_FOLDS[collection],
      `add '${digest}' to ${collection} in projections/equal-folds.ts`,
    ).toContain(digest);
  });
});
