import { pathToFileURL } from 'node:url';

import { expect, test } from 'vitest';

import { EARLIER } from '../../earlier/index.ts';
import type * as Earlier from '../../earlier/index.ts';
import { collectionOf } from '../../src/projecting/engine/projection.ts';
import { changedCopy, type Place } from '../support/changed-copy.ts';
import { decoded } from '../support/events.ts';
import { engineDigest, unlikeWhenKept } from '../support/kept-folds.ts';
import { RECORDED } from '../support/recorded-events.ts';

/** A fold that is kept is run by today's engine: it has to make what it made when it was kept. */

/**
 * Engines (src/projecting/engine/fold.ts) that are proven to make the same documents of the recorded events: by this test
 * for the folds in earlier/, and by recorded.test.ts for those of this release.
 */
const ENGINES = [
  '8SzVCmK2v0qnniiIeFWS7rCBGlhsNxpKqNt14ehqlzw',
  '-ZqoCpg-2FvqlkMXMEjy5AHhQwvKrRJGDpev_UoILPo',
];

const OURS = new URL('../../', import.meta.url);
const events = RECORDED.map(decoded);

test('the engine that runs folds is among those that are proven', async () => {
  const digest = await engineDigest(OURS);
  expect(ENGINES, `where the documents are the same, add '${digest}' to ENGINES`).toContain(digest);
});

test('every fold that this release keeps makes what it made', async () => {
  for (const kept of EARLIER)
    expect(
      await unlikeWhenKept(kept, OURS, { events, listed: ENGINES }),
      collectionOf(kept.projection),
    ).toBeNull();
});

const FILE = 'src/projecting/engine/fold.ts';
const MOVED: Place = {
  file: FILE,
  at: 'let registers = before;',
  text: 'const first = before;\n  let registers = first;',
};
const OTHER: Place = {
  file: FILE,
  at: 'if (next === registers) return',
  text: 'if (next !== registers) return',
};
const SAID: Place = {
  file: FILE,
  at: '/** Folds events into',
  text: '// Said otherwise.\n/** Folds events into',
};

test.each([
  ['says the same in other words', SAID, 'no', /^fine$/],
  [
    'has changed, and nobody has looked whether that matters',
    MOVED,
    'no',
    /^src\/projecting\/engine\/fold\.ts has changed since the fold was kept: .* add '/,
  ],
  ['has changed, is listed, and makes the same', MOVED, 'yes', /^fine$/],
  ['has changed, is listed, and makes other documents', OTHER, 'yes', /makes another document/],
] as const)('a release whose engine %s', async (_what, place, isListed, refused) => {
  const copy = changedCopy([]);
  await copy.freeze('listings');
  copy.change([place]);
  const project = pathToFileURL(`${copy.folder}/`);
  const { EARLIER: found } = await copy.load<typeof Earlier>('earlier/index.ts');
  const kept = found.at(-1);
  if (!kept) throw new Error('nothing is kept');
  const listed = isListed === 'yes' ? [await engineDigest(project)] : [];
  const some = events.slice(0, 500);
  const problem = await unlikeWhenKept(kept, project, { events: some, listed });
  expect(problem ?? 'fine').toMatch(refused);
});
