import { beforeAll, expect, test } from 'vitest';

import { categories } from '../../../../../projections/categories/index.ts';
import { listings } from '../../../../../projections/listings/index.ts';
import { findBuilds } from '../../../../../src/operations/named-builds.ts';
import { collectionSpec } from '../../../../../src/projecting/engine/projection.ts';
import { claimVersion } from '../../../../../src/stores/claim-version.ts';
import { CATEGORIES, LISTINGS } from '../../../../support/collections.ts';
import { published } from '../../../../support/events.ts';
import { temporaryFolder } from '../../../../support/folder.ts';
import { runHere } from '../../../../support/run-here.ts';
import { makeTwoBuilds, SHADOW } from '../../../../support/two-builds.ts';
import { openParts } from '../../../../support/parts.ts';
import { openDocuments, putDocument } from '../../../../support/documents.ts';

const CATALOG_DATA = temporaryFolder();
const PROJECTIONS = [listings, categories];
const OTHER = `${CATEGORIES}-other`;

beforeAll(async () => {
  await makeTwoBuilds(CATALOG_DATA, { live: [published()], shadow: [published()] });
  await using parts = await openParts({ CATALOG_DATA });
  const { documents } = parts;
  const { name, version } = categories;
  await claimVersion(documents, { name, version, collection: CATEGORIES, index: null, fold: 'test' });
  await documents.declare(collectionSpec(categories));
  for (const [projection, id] of [
    [categories, OTHER],
    [{ ...categories, version: 9 }, `${categories.name}@9-twice`],
    [listings, `${listings.name}@9-twice`],
  ] as const) {
    await documents.declare({ ...collectionSpec(projection), name: id });
    await putDocument(documents, 'shadows', id, {});
  }
  // Of a replay that was begun and has stored nothing.
  await putDocument(documents, 'shadows', `${LISTINGS}-gone`, {});
});

test.each([
  [LISTINGS, SHADOW, LISTINGS, SHADOW],
  ['live', 'weights', LISTINGS, SHADOW],
  ['weights', 'live', SHADOW, LISTINGS],
  ['other', 'live', OTHER, CATEGORIES],
])('%s and %s mean %s and %s', async (before, after, ...meant) => {
  const documents = openDocuments({}, CATALOG_DATA);
  const builds = await findBuilds({ documents, projections: PROJECTIONS }, [before, after]);
  expect(builds.map(({ collection }) => collection)).toEqual(meant);
});

test.each([
  [
    ['live', 'nothing'],
    /^There is no build or shadow nothing\. There are .*listings@\d+ \(live\), .*-weights \(shadow\).*\.$/,
  ],
  [['live', `${LISTINGS}-gone`], /^There is no build or shadow \S+-gone\. There are /],
  [['live', 'live'], /^live is the live build of what the other name means: give one by its name\.$/],
  [['live', LISTINGS], /^Both names mean listings@\d+: give two different builds\.$/],
  [[LISTINGS, OTHER], /^listings@\d+ and \S+ are of different read models, and cannot be compared\.$/],
  [
    ['live', 'twice'],
    /^Several are called twice: categories@9-twice \(shadow\), listings@9-twice \(shadow\)\. Give the whole name\.$/,
  ],
  [['live', 'weights', '--json', '--ndjson'], /^--json is one document, --ndjson a line /],
  [['live', 'weights', '--fields', 'score.valu'], /^No entry of \S+ or \S+ has score\.valu: --fields takes /],
  [['live', 'weights', '--fields', 'score..value'], /Expected names of fields with commas between: /],
  [['live', 'weights', '--fields', ''], /Expected names of fields with commas between: /],
  [['live', 'weights', '--top', '0'], /Expected a whole number from 1 to 1,000/],
  [['live'], /missing required argument 'after'/],
] as const)('%j is one line of explanation', async (args, explanation) => {
  const { code, stderr } = await runHere(['builds', 'diff', ...args], { CATALOG_DATA });
  expect(stderr).toMatch(/^catalog: .+\n$/);
  expect(stderr.slice('catalog: '.length, -1)).toMatch(explanation);
  expect(code).toBe(2);
});

test('where nothing was replayed yet there are no shadows to choose from', async () => {
  const documents = openDocuments();
  await expect(findBuilds({ documents, projections: PROJECTIONS }, ['live', 'weights'])).rejects.toThrow(
    'There is no build or shadow weights. Nothing was projected yet: start a projector first ("npm start").',
  );
});

test('read models without scores are compared as well', async () => {
  const { code, stdout } = await runHere(['builds', 'diff', 'live', 'other', '--json'], { CATALOG_DATA });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ added: 0, removed: 0, changed: 0, movements: null });
});

test('what is not finished is compared all the same, and named', async () => {
  const folder = temporaryFolder();
  await makeTwoBuilds(folder, { live: [published()], shadow: [] });
  await putDocument(openDocuments({}, folder), 'shadows', SHADOW, { made: null });
  const { code, stdout, stderr } = await runHere(['builds', 'diff', 'live', 'weights'], {
    CATALOG_DATA: folder,
  });
  expect(stderr).toBe(
    `${SHADOW} is not finished: it is compared as far as it is. "npm run -s catalog -- shadows list" shows more.\n`,
  );
  expect({ code, removed: /^0 added, 1 removed, /m.test(stdout) }).toEqual({ code: 0, removed: true });
});
