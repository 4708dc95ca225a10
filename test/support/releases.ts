import { expect, onTestFinished } from 'vitest';

import { PROJECTIONS } from '../../projections/index.ts';
import type { Overrides, Parts } from '../../src/compose/parts.ts';
import { startProjector, type RunningProjector } from '../../src/compose/projector.ts';
import { readBuild } from '../../src/stores/builds.ts';
import { openParts } from './parts.ts';

const LISTINGS_NOW = PROJECTIONS.find(({ name }) => name === 'listings');
if (!LISTINGS_NOW) throw new Error('there are no listings');
const NEXT = { ...LISTINGS_NOW, version: LISTINGS_NOW.version + 1 };

/** A release with a higher version of listings, which keeps the fold of this one. */
export const NEXT_RELEASE: Overrides = {
  projections: PROJECTIONS.map((projection) => (projection === LISTINGS_NOW ? NEXT : projection)),
  earlier: [LISTINGS_NOW],
};

/** The parts of a release in this process, on a folder. */
export async function openRelease(
  env: Readonly<Record<string, string>>,
  overrides: Overrides = {},
): Promise<Parts> {
  const parts = await openParts(env, overrides);
  onTestFinished(() => parts[Symbol.asyncDispose]());
  return parts;
}

/** A projector of a release, stopped with the test at the latest. */
export async function startRelease(parts: Parts): Promise<RunningProjector> {
  const projector = await startProjector(parts, { acceptGaps: [] });
  let isOver = false;
  onTestFinished(async () => {
    if (!isOver) await projector[Symbol.asyncDispose]();
  });
  return {
    health: () => projector.health(),
    [Symbol.asyncDispose]: async () => {
      isOver = true;
      await projector[Symbol.asyncDispose]();
    },
  };
}

/** Resolves when the build has caught up with the log, and its index is filled. */
export async function untilComplete({ documents }: Parts, build: string): Promise<void> {
  await expect.poll(async () => (await readBuild(documents, build))?.completed_at ?? null).not.toBeNull();
}
