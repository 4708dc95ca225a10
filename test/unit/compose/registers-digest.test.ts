import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

import { expect, test } from 'vitest';

import { PROJECTIONS } from '../../../projections/index.ts';
import { listings } from '../../../projections/listings/index.ts';
import { seedSourceOf } from '../../../src/compose/builds.ts';
import { registersDigest, type Fold } from '../../../src/compose/fold-sources.ts';
import type { Projection } from '../../../src/projecting/engine/projection.ts';
import { ALONE, type Alias } from '../../../src/stores/live.ts';
import { changedCopy, type Place } from '../../support/changed-copy.ts';

/** Whether two folds make equal registers of equal events, as far as their sources tell. */

const isEqual = async (name: string, place: Place): Promise<boolean> => {
  const { folder } = changedCopy([place]);
  const digest = await registersDigest(name, pathToFileURL(`${folder}/`));
  return digest === (await registersDigest(name));
};

test.each<[string, string, Place, boolean]>([
  [
    'another score',
    'listings',
    { file: 'projections/listings/score.ts', at: "['trust', 15]", text: "['trust', 30]" },
    true,
  ],
  [
    'another version',
    'listings',
    { file: 'projections/listings/index.ts', at: /(?<=^  version: )\d+(?=,$)/m, text: '9' },
    true,
  ],
  [
    'another way to take events in',
    'listings',
    { file: 'projections/listings/evolve.ts', at: '.slice(0, 10)', text: '.slice(0, 7)' },
    false,
  ],
  [
    'another schema',
    'listings',
    { file: 'src/events/entries.ts', at: '  verified: described(flag, {', text: '  seen: described(flag, {' },
    false,
  ],
  [
    'a schema of other events',
    'monitor',
    { file: 'src/events/entries.ts', at: '  verified: described(flag, {', text: '  seen: described(flag, {' },
    true,
  ],
  [
    'another join',
    'monitor',
    { file: 'src/projecting/engine/register.ts', at: 'return tombstones;', text: 'return -tombstones;' },
    false,
  ],
  [
    'anything, where nothing stands apart',
    'categories',
    { file: 'projections/categories/index.ts', at: "['view.defined']", text: "['view.parent']" },
    false,
  ],
])('%s of %s: whether the registers are made alike', async (_what, name, place, expected) => {
  expect(await isEqual(name, place)).toBe(expected);
});

/** The projections with a file of their own for what takes events in, where the digest begins. */
const APART = PROJECTIONS.filter(({ name }) => existsSync(evolveOf(name)));

function evolveOf(name: string): URL {
  return new URL(`../../../projections/${name}/evolve.ts`, import.meta.url);
}

test.each(APART)('$name takes events in as its file evolve.ts says', async (projection) => {
  const taking = (await import(evolveOf(projection.name).href)) as Projection;
  for (const part of ['registers', 'contribution', 'documentId'] as const)
    expect(projection[part], part).toBe(taking[part]);
});

test('a projection has such a file: the rule above is looked at', () => {
  expect(APART).toContain(listings);
});

const alias: Alias = {
  ...ALONE,
  version: 1,
  collection: 'listings@1',
  index: null,
  sources: { 1: 'one', 2: 'two' },
  beside: ['listings@1-b2', 'listings@2'],
};
const fold = (version: number, made: string | undefined, topics = listings.topics): Fold => ({
  projection: { ...listings, version, topics },
  identity: { sources: version === 1 ? 'one' : 'two' },
  ...(made !== undefined && { registers: made }),
});

test.each([
  ['another build of its version', { ...listings, version: 1, build: 'b2' }, [fold(1, undefined)], true],
  [
    'another version with registers made alike',
    { ...listings, version: 2 },
    [fold(1, 'x'), fold(2, 'x')],
    true,
  ],
  ['one with other registers', { ...listings, version: 2 }, [fold(1, 'x'), fold(2, 'y')], false],
  ['one of which nobody knows', { ...listings, version: 2 }, [fold(1, undefined), fold(2, undefined)], false],
  [
    'one that reads another topic too',
    { ...listings, version: 2 },
    [fold(1, 'x'), fold(2, 'x', ['catalog.entries'])],
    false,
  ],
  ['one whose live fold this release lacks', { ...listings, version: 2 }, [fold(2, 'x')], false],
] as const)('%s: whether it may begin with the live registers', (_what, target, folds, expected) => {
  expect(seedSourceOf(alias, target, folds)?.version ?? null).toBe(expected ? 1 : null);
});
