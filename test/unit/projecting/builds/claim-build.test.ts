import { beforeEach, expect, test } from 'vitest';

import { listings } from '../../../../projections/listings/index.ts';
import { claimBuild } from '../../../../src/projecting/builds/claim-build.ts';
import { foldsOf, foldsToProject } from '../../../../src/projecting/builds/builds-by-fold.ts';
import { foldIdentity } from '../../../../src/projecting/builds/fold-identity.ts';
import type { Parts } from '../../../../src/compose/parts.ts';
import type { DecodeResult } from '../../../../src/events/decode.ts';
import { collectionOf, type Projection } from '../../../../src/projecting/engine/projection.ts';
import { ALIASES, changeAlias, readAlias, type Alias } from '../../../../src/stores/aliases.ts';
import { WORKERS } from '../../../../src/stores/workers.ts';
import { LISTINGS, NEXT_LISTINGS } from '../../../support/collections.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { overriding } from '../../../support/overriding.ts';
import { NEXT_RELEASE, openRelease } from '../../../support/releases.ts';
import { putDocument } from '../../../support/documents.ts';

/** What a projector does with a read model when it starts: the first build, one beside the live one, or a refusal. */

const NEXT = { ...listings, version: listings.version + 1 };

let parts: Parts;
let now: Projection;
let next: Projection;
beforeEach(async () => {
  parts = await openRelease({ CATALOG_DATA: temporaryFolder() }, NEXT_RELEASE);
  const foldOf = (build: string): Projection => {
    const found = foldsOf(parts).find((projection) => collectionOf(projection) === build);
    if (!found) throw new Error(`there is no fold of ${build}`);
    return found;
  };
  [now, next] = [foldOf(LISTINGS), foldOf(NEXT_LISTINGS)];
});

const claim = (own: Projection, folds: readonly Projection[], using = parts): Promise<void> =>
  claimBuild(using, own, folds);

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
  expect((await alias())?.folds[NEXT.version]).toBe(await foldIdentity(next, parts));
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
  await putDocument(documents, WORKERS.name, 'old', body);
  await claim(next, [next]);
  expect((await alias())?.beside).toEqual([NEXT_LISTINGS]);
});

test('an older release is refused while the newer build is live, and told to go back first', async () => {
  await claim(next, [next]);
  await expect(claim(now, [now])).rejects.toThrow(/builds roll-back listings/);
});

test('a fold that has changed under its version is refused; one that makes the same documents in another way is taken', async () => {
  await claim(now, [now]);
  const changed = {
    ...now,
    view: (id: string, registers: unknown) => ({ ...shown(id, registers), value: 1 }),
  };
  await expect(claim(changed, [changed])).rejects.toThrow(
    `The fold of ${LISTINGS} has changed, its version has not.`,
  );
  const equal = { ...now, view: shown };
  const before = await alias();
  await claim(equal, [equal]);
  expect(await alias()).toEqual(before);
});

test('a kept fold that is not the one that made the documents of its version is none of them', async () => {
  await claim(now, [now]);
  expect(await foldsToProject(parts)).toContain(now);
  const changed = {
    ...now,
    view: (id: string, registers: unknown) => ({ ...shown(id, registers), value: 1 }),
  };
  const release = overriding(parts, { earlier: [changed] });
  const folds = await foldsToProject(release);
  expect(folds).toEqual(parts.projections);
  await expect(claim(next, folds, release)).rejects.toThrow(`has no fold of ${LISTINGS}`);
});

test('a fold that is decoded in two ways is told from itself', async () => {
  const rejecting: Parts = { ...parts, decode: () => REJECTED };
  const identity = await foldIdentity(now, rejecting);
  expect(await foldIdentity(now, parts)).not.toBe(identity);
  expect(await foldIdentity(now, rejecting)).toBe(identity);
});

const REJECTED: DecodeResult = { outcome: 'skipped', reason: 'unknown_type', type: null };

/** What the fold of now shows. */
function shown(id: string, registers: unknown): object {
  return { ...(now.view(id, registers) as object) };
}

test('what somebody else was faster with is looked at again', async () => {
  const identity = await foldIdentity(next, parts);
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
              folds: { ...found.folds, [NEXT.version]: identity },
            },
        );
      }
      return parts.documents.write(collection, writes, options);
    },
  });
  await claim(next, [next, now], overriding(parts, { documents }));
  expect(await alias()).toMatchObject({ collection: NEXT_LISTINGS, beside: [LISTINGS] });
});
