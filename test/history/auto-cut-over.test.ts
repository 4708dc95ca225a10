import { expect, test } from 'vitest';

import { everyBuild } from '../../src/projecting/builds/builds-by-fold.ts';
import { cutOverParts } from '../../src/compose/cut-over-parts.ts';
import type { Parts } from '../../src/compose/parts.ts';
import { structuredRecord } from '../../src/events/event-types.ts';
import { startAutoCutOver, cutOver } from '../../src/projecting/builds/verify-and-cut-over.ts';
import { mayGoUp } from '../../src/projecting/builds/switch-build.ts';
import { collectionOf } from '../../src/projecting/engine/projection.ts';
import { NOTHING_BESIDE, readAlias, type Alias } from '../../src/stores/aliases.ts';
import { RENDERERS, type Renderer } from '../../src/stores/serving-processes.ts';
import { changeDocument } from '../../src/stores/documents/change-document.ts';
import { captureLog } from '../support/captured-log.ts';
import { LISTINGS, NEXT_LISTINGS } from '../support/collections.ts';
import { published } from '../support/events.ts';
import { temporaryFolder } from '../support/folder.ts';
import { NEXT_RELEASE, openRelease, startRelease, untilComplete } from '../support/releases.ts';

const live = async ({ documents }: Parts) => (await readAlias(documents, 'listings'))?.collection;

/** A folder of this release, on which the next one has made its build beside the live one. */
async function upgraded(folder: string): Promise<Parts> {
  const env = { CATALOG_DATA: folder };
  const first = await openRelease(env);
  const before = await startRelease(first);
  await first.log.append([structuredRecord(published())]);
  await untilComplete(first, LISTINGS);
  await before[Symbol.asyncDispose]();
  const parts = await openRelease(env, NEXT_RELEASE);
  await startRelease(parts);
  await untilComplete(parts, NEXT_LISTINGS);
  return parts;
}

/** The builds whose folds this release has. */
async function projectedBuilds(parts: Parts) {
  return (await everyBuild(parts)).flatMap(({ projection }) => projection ?? []);
}

async function automatic(parts: Parts, isRunning: (lane: string) => boolean = () => true) {
  const { signal: _signal, ...work } = cutOverParts(parts, new AbortController().signal);
  const builds = await projectedBuilds(parts);
  const log = captureLog();
  const running = startAutoCutOver({ ...work, logger: log.logger, builds, isRunning, lookMs: 10 });
  return { ...log, [Symbol.asyncDispose]: () => running[Symbol.asyncDispose]() };
}

test('a complete build of a higher version becomes live by itself, verified', async () => {
  const folder = temporaryFolder();
  const parts = await upgraded(folder);
  expect(await live(parts)).toBe(LISTINGS);
  await using auto = await automatic(parts, (lane) => lane === `${NEXT_LISTINGS}/catalog.entries/0`);
  await expect.poll(() => live(parts)).toBe(NEXT_LISTINGS);
  expect(auto.said()).not.toContain('warn: build not cut over to; tried again');

  // Going back pins it: nothing moves up again that nobody has asked for.
  const back = (await projectedBuilds(parts)).find((one) => collectionOf(one) === LISTINGS);
  if (!back) throw new Error('the earlier build is gone');
  const work = cutOverParts(parts, AbortSignal.timeout(120_000));
  expect(await cutOver(work, { target: back, isRollback: true })).toMatchObject({ outcome: 'switched' });
  const up = { ...back, version: back.version + 1 };
  expect(await cutOver(work, { target: up, isRollback: false, isAutomatic: true })).toEqual({
    outcome: 'given_up',
    reason: `${LISTINGS} is to stay live`,
  });
});

test('what is in the way of it is said once, and nothing changes', async () => {
  const parts = await upgraded(temporaryFolder());
  await parts.documents.declare(RENDERERS);
  const at = await parts.documents.now();
  const older: Renderer = { at, where: 'older-release:7', renders: { listings: [1] } };
  await changeDocument(parts.documents, RENDERERS.name, 'older', () => older);
  await using auto = await automatic(parts);
  await expect.poll(() => auto.said()).toContain('warn: build not cut over to; tried again');
  expect(auto.lines.join('')).toContain('older-release:7');
  expect(await live(parts)).toBe(LISTINGS);
});

test.each([
  ['upwards', { version: 2 }, 'listings@3', true],
  ['to another build of its version', { version: 2 }, 'listings@2-b2', false],
  ['downwards', { version: 2 }, 'listings@1', false],
  ['from a build that somebody has gone back to', { version: 2, pinned: true }, 'listings@3', false],
] as const)('%s: whether a build becomes live by itself', (_way, given, build, expected) => {
  const alias: Alias = { collection: 'listings@2', index: null, folds: {}, ...NOTHING_BESIDE, ...given };
  expect(mayGoUp(alias, build)).toBe(expected);
});
