import { beforeEach, expect, test } from 'vitest';

import { listings } from '../../../projections/listings/index.ts';
import { claimBuild } from '../../../src/compose/builds.ts';
import { foldsOf, type Fold } from '../../../src/compose/fold-sources.ts';
import type { Parts } from '../../../src/compose/parts.ts';
import { collectionOf } from '../../../src/projecting/engine/projection.ts';
import { ALIASES, changeAlias, readAlias, type Alias } from '../../../src/stores/live.ts';
import { newVersion } from '../../../src/stores/documents/port.ts';
import { WORKERS } from '../../../src/stores/workers.ts';
import { LISTINGS, NEXT_LISTINGS } from '../../support/collections.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { overriding } from '../../support/overriding.ts';
import { NEXT_RELEASE, openRelease } from '../../support/releases.ts';

/** What a projector does with a read model when it starts: the first build, one beside the live one, or a refusal. */

const NEXT = { ...listings, version: listings.version + 1 };

let parts: Parts;
let now: Fold;
let next: Fold;
beforeEach(async () => {
  parts = await openRelease({ CATALOG_DATA: temporaryFolder() }, NEXT_RELEASE);
  const folds = await foldsOf(parts);
  const foldOf = (build: string): Fold => {
    const found = folds.find(({ projection }) => collectionOf(projection) === build);
    if (!found) throw new Error(`there is no fold of ${build}`);
    return found;
  };
  [now, next] = [foldOf(LISTINGS), foldOf(NEXT_LISTINGS)];
});

const claim = (own: Fold, folds: readonly Fold[], using = parts): Promise<void> =>
  claimBuild(using, own.projection, folds);

async function alias(): Promise<Alias | null> {
  return await readAlias(parts.documents, 'listings');
}

test('the first start makes its build live, and another one of the same release changes nothing', async () => {
  await claim(now, [now]);
  const first = await alias();
  expect(first).toMatchObject({
    version: listings.version,
    collection: LISTINGS,
    index: LISTINGS,
    beside: [],
  });
  await claim(now, [now]);
  expect(await alias()).toEqual(first);
});

test('a release that has the live fold as well begins its build beside, once', async () => {
  await claim(now, [now]);
  for (let start = 0; start < 2; start += 1) {
    await claim(next, [next, now]);
    expect(await alias()).toMatchObject({ collection: LISTINGS, beside: [NEXT_LISTINGS] });
  }
  expect((await alias())?.sources[NEXT.version]).toBe(next.identity.sources);
});

test('of several that start at once one begins the build', async () => {
  await claim(now, [now]);
  await Promise.all([1, 2, 3].map(() => claim(next, [next, now])));
  expect((await alias())?.beside).toEqual([NEXT_LISTINGS]);
});

test('one that lacks the live fold is refused while no projector has lanes of that, and begins where one has', async () => {
  await claim(now, [now]);
  const before = await alias();
  await expect(claim(next, [next])).rejects.toThrow(
    new RegExp(
      `^The live build of listings is ${LISTINGS}: this release makes version ${NEXT.version}, has no fold of .+ beside this one`,
    ),
  );
  expect(await alias()).toEqual(before);
  const { documents } = parts;
  const at = await documents.now();
  const lanes = { [`${LISTINGS}/catalog.entries/0`]: { state: 'running', since: 0, reason: null } };
  const body = { at, where: 'old:1', ok: true, detail: '', lanes };
  await documents.write(WORKERS.name, [{ id: 'old', read: null, version: newVersion(), body }]);
  await claim(next, [next]);
  expect((await alias())?.beside).toEqual([NEXT_LISTINGS]);
});

test('an older release is refused while the newer build is live, and told to go back first', async () => {
  await claim(next, [next]);
  await expect(claim(now, [now])).rejects.toThrow(/rollback listings/);
});

test('a fold that has changed under its version is refused, live or not; one that is proven equal is taken', async () => {
  await claim(now, [now]);
  const changed: Fold = { ...now, identity: { sources: 'changed' } };
  await expect(claim(changed, [changed])).rejects.toThrow(
    `The fold of ${LISTINGS} has changed, its version has not.`,
  );
  const equal: Fold = { ...now, identity: { sources: 'moved', equal: [now.identity.sources] } };
  await claim(equal, [equal]);
  expect((await alias())?.sources[listings.version]).toBe(now.identity.sources);
});

test('what somebody else was faster with is looked at again', async () => {
  await claim(now, [now]);
  let isFirst = true;
  const documents = overriding(parts.documents, {
    write: async (collection, writes, options) => {
      if (isFirst && collection === ALIASES.name) {
        isFirst = false;
        // The same build, begun by another projector, and live by now.
        await changeAlias(
          parts.documents,
          'listings',
          (found) =>
            found && {
              ...found,
              version: NEXT.version,
              collection: NEXT_LISTINGS,
              beside: [LISTINGS],
              sources: { ...found.sources, [NEXT.version]: next.identity.sources },
            },
        );
      }
      return parts.documents.write(collection, writes, options);
    },
  });
  await claim(next, [next, now], overriding(parts, { documents }));
  expect(await alias()).toMatchObject({ collection: NEXT_LISTINGS, beside: [LISTINGS] });
});
