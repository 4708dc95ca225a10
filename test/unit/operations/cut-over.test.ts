import { beforeEach, expect, test } from 'vitest';

import { categories } from '../../../projections/categories/index.ts';
import { claimBuild } from '../../../src/projecting/builds/claim-build.ts';
import { foldsOf } from '../../../src/projecting/builds/builds-by-fold.ts';
import type { Overrides, Parts } from '../../../src/compose/parts.ts';
import { readPreview } from '../../../src/operations/act-preview.ts';
import { switchTo, type SwitchReport, type SwitchRequest } from '../../../src/operations/cut-over.ts';
import { readVersions } from '../../../src/operations/list-builds.ts';
import { systemClock } from '../../../src/platform/time/clock.ts';
import { PARKED } from '../../../src/projecting/engine/parking.ts';
import { collectionOf, collectionSpec } from '../../../src/projecting/engine/projection.ts';
import { beginBuild, BUILDS, completeBuild } from '../../../src/stores/builds.ts';
import { readAlias } from '../../../src/stores/aliases.ts';
import { RENDERERS } from '../../../src/stores/serving-processes.ts';
import { newVersion } from '../../../src/stores/documents/port.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { openRelease } from '../../support/releases.ts';
import { putDocument } from '../../support/documents.ts';

/** Cut-over and rollback as an operator asks for them, on two builds that nobody projects now: the newer one is live. */

const NEXT = { ...categories, version: categories.version + 1 };
const OLDER = collectionOf(categories);
const NEWER = collectionOf(NEXT);
/** A release that makes the newer build, and keeps the fold of the older one. */
const RELEASE: Overrides = { projections: [NEXT], earlier: [categories] };

let parts: Parts;
/** What others do at each sleep of the command. */
let acting: () => Promise<void>;
let slept: number;
beforeEach(async () => {
  acting = async () => undefined;
  slept = 0;
  const clock = {
    ...systemClock,
    monotonic: () => slept,
    sleep: async (ms: number) => {
      slept += ms;
      await acting();
    },
  };
  parts = await openRelease({ CATALOG_DATA: temporaryFolder() }, { ...RELEASE, clock });
  const { documents } = parts;
  for (const spec of [PARKED, BUILDS, RENDERERS]) await documents.declare(spec);
  const folds = foldsOf(parts);
  for (const projection of folds.toReversed()) {
    await documents.declare(collectionSpec(projection));
    await claimBuild(parts, projection, folds);
  }
  for (const build of [OLDER, NEWER]) {
    await beginBuild(documents, build, {});
    await completeBuild(documents, build);
  }
  await ask({ to: NEWER });
});

const ask = (asked: Partial<SwitchRequest>): Promise<SwitchReport> =>
  switchTo(parts, new AbortController().signal, { name: 'categories', isRollback: false, ...asked });
const rollback = (): Promise<SwitchReport> => ask({ isRollback: true });
const live = async (): Promise<string | undefined> =>
  (await readAlias(parts.documents, 'categories'))?.collection;
/** A process that serves, and has answers for the newer build alone. */
async function serveNewerAlone(): Promise<() => Promise<void>> {
  const { documents } = parts;
  const body = { at: await documents.now(), where: 'serve:1', renders: { categories: [NEXT.version] } };
  const write = { id: 'serve', read: null, version: newVersion(), body };
  await documents.write(RENDERERS.name, [write]);
  return async () => {
    await documents.remove(RENDERERS.name, [{ id: write.id, read: write.version }]);
  };
}

test('a rollback that is said again leaves the older build live; the page offers it no more', async () => {
  const target = async () => (await readVersions(parts)).find((one) => one.rollback)?.build;
  expect(await target()).toBe(OLDER);
  expect(await rollback()).toMatchObject({ from: NEWER, live: OLDER });
  expect(await target()).toBeUndefined();
  expect(await rollback()).toEqual({ from: null, live: OLDER });
  expect(await live()).toBe(OLDER);
  expect(await readPreview(parts, { kind: 'rollback', subject: 'categories' })).toBeNull();
});

test('a cut-over that is said again leaves the newest build live', async () => {
  for (const to of [undefined, NEWER]) expect(await ask({ to })).toMatchObject({ from: null, live: NEWER });
  await rollback();
  expect(await ask({})).toMatchObject({ from: OLDER, live: NEWER });
});

test('what passes by itself is waited for, and said; without a wait it is refused', async () => {
  const end = await serveNewerAlone();
  await expect(rollback()).rejects.toThrow(
    /^categories@\d+ is still live: serve:1 serves readers and cannot .+ --wait 5m" waits for what passes\.$/,
  );
  const said: string[] = [];
  acting = async () => {
    if (said.length === 2) await end();
  };
  const wait = { ms: 300_000, onRefusal: (reason: string) => void said.push(reason) };
  expect(await ask({ isRollback: true, wait })).toMatchObject({ live: OLDER });
  expect(said).toHaveLength(2);
  expect(said[0]).toContain('serve:1');
});

test('a wait ends when its time is over, and at once where waiting cannot help', async () => {
  await serveNewerAlone();
  const said: string[] = [];
  const wait = { ms: 12_000, onRefusal: (reason: string) => void said.push(reason) };
  const before = slept;
  await expect(ask({ isRollback: true, wait })).rejects.toThrow('serve:1 serves readers');
  expect(slept - before).toBe(12_000);
  expect(said).toHaveLength(3);
  // The older one was never verified, and the log knows nothing of this.
  await putDocument(parts.documents, OLDER, 'odd', { registers: {}, view: null });
  await parts.documents.drop(RENDERERS.name);
  await parts.documents.declare(RENDERERS);
  const after = slept;
  await expect(ask({ to: OLDER, wait })).rejects.toThrow(`${OLDER} differs from the log`);
  expect(slept).toBe(after);
});
