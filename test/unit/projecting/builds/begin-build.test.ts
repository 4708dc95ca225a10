import { expect, test } from 'vitest';

import { beginBuildOf } from '../../../../src/projecting/builds/claim-build.ts';
import { claimVersion } from '../../../../src/stores/claim-version.ts';
import { LIVE, OTHER, openBuildsStage } from '../../../support/builds-stage.ts';

const FOLD = 'fold';

test('another build of the live version stands beside the others, and nothing else of the alias changes', async () => {
  const { documents, alias } = await openBuildsStage();
  const { token: _token, ...before } = await alias();
  expect(await beginBuildOf(documents, { name: 'notes', version: 1 }, FOLD)).toEqual({ build: 'notes@1-b3' });
  expect(await alias()).toMatchObject({ ...before, beside: [OTHER, 'notes@1-b3'], begun: { 1: 3 } });
});

test('the first build of a version has no number', async () => {
  const { documents, alias } = await openBuildsStage();
  expect(await beginBuildOf(documents, { name: 'notes', version: 2 }, FOLD)).toEqual({ build: 'notes@2' });
  expect((await alias()).folds).toEqual({ 1: 'fold', 2: 'fold' });
});

test('nothing is begun of a read model that was never started, nor with another fold of a version', async () => {
  const { documents, alias } = await openBuildsStage();
  const before = await alias();
  expect(await beginBuildOf(documents, { name: 'others', version: 1 }, FOLD)).toEqual({
    refused: 'others was never projected',
  });
  expect(await beginBuildOf(documents, { name: 'notes', version: 1 }, 'changed')).toEqual({
    refused: `the documents of ${LIVE} are those of another fold`,
  });
  expect(await alias()).toEqual(before);
});

test('a release that begins its version again after a drop gives it another name', async () => {
  const { documents, alias, change } = await openBuildsStage();
  const claim = { name: 'notes', version: 2, collection: 'notes@2', fold: 'next', begin: true };
  expect(await claimVersion(documents, claim)).toBe('beside');
  expect((await alias()).beside).toEqual([OTHER, 'notes@2']);
  await change({ beside: [OTHER] });
  expect(await claimVersion(documents, claim)).toBe('beside');
  expect((await alias()).beside).toEqual([OTHER, 'notes@2-b2']);
});
