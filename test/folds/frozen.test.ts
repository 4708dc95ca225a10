import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

import type * as Earlier from '../../earlier/index.ts';
import { listings } from '../../projections/listings/index.ts';
import { foldDigest } from '../../src/compose/fold-sources.ts';
import type { Decode } from '../../src/events/decode.ts';
import type { CatalogEvent } from '../../src/events/event.ts';
import { collectionOf } from '../../src/projecting/engine/projection.ts';
import { changedCopy } from '../support/changed-copy.ts';
import { decoded, recordOf } from '../support/events.ts';
import { madeOf, RECORDED } from '../support/recorded-events.ts';

/** What `npm run freeze` keeps of a release for the next one. */

const KEPT = `earlier/${collectionOf(listings)}`;
const CHANGED_SCORE = {
  file: 'projections/listings/score.ts',
  at: "  ['audience', 30],\n  ['engagement', 25],",
  text: "  ['audience', 25],\n  ['engagement', 30],",
};

test('a fold that is kept is told to be the same, and makes the same documents of the same records', async () => {
  const copy = changedCopy([]);
  await copy.freeze('listings');
  // Whatever becomes of the fold and of the schemas afterwards.
  copy.change([
    CHANGED_SCORE,
    { file: 'projections/listings/index.ts', at: /(?<=^  version: )\d+(?=,$)/m, text: '9' },
    { file: 'src/events/entries.ts', at: '  verified: described(flag, {', text: '  seen: described(flag, {' },
  ]);
  const { EARLIER } = await copy.load<typeof Earlier>('earlier/index.ts');
  const kept = EARLIER.at(-1);
  if (!kept) throw new Error('Nothing is kept');
  expect(collectionOf(kept.projection)).toBe(collectionOf(listings));
  expect(await foldDigest('listings', kept.root)).toBe(await foldDigest('listings'));
  const decode = kept.createDecode({ topicPrefix: 'test.' });
  const events = RECORDED.map((event) => decodedBy(decode, event));
  const ours = RECORDED.map(decoded);
  expect(events).toEqual(ours);
  expect(madeOf(kept.projection, events)).toEqual(madeOf(listings, ours));
});

test('two folds can be kept beside each other', async () => {
  const copy = changedCopy([]);
  await copy.freeze('listings');
  await copy.freeze('monitor');
  const { EARLIER } = await copy.load<typeof Earlier>('earlier/index.ts');
  expect(EARLIER.slice(-2).map(({ projection: { name } }) => name)).toEqual(['listings', 'monitor']);
});

test('a fold that was changed before it was kept is refused, and nothing is kept', async () => {
  const copy = changedCopy([CHANGED_SCORE]);
  const refused =
    /^The fold of listings@\d+ is not the one that was released: freeze it before you change it/;
  await expect(copy.freeze('listings')).rejects.toThrow(refused);
  expect(existsSync(join(copy.folder, KEPT))).toBe(false);
});

test('the command says in one line what it has done, or what is wrong: a fold is kept once, of a read model that there is', async () => {
  const copy = changedCopy([]);
  const freeze = async (...args: readonly string[]) => {
    const options = { cwd: copy.folder, env: {} };
    const run = promisify(execFile)(process.execPath, ['tools/freeze.ts', ...args], options);
    const ended = run.then(
      (said) => ({ code: 0, ...said }),
      (thrown: unknown) =>
        thrown as { readonly code: number; readonly stdout: string; readonly stderr: string },
    );
    const { code, stdout, stderr } = await ended;
    return `${code} ${stdout}${stderr}`;
  };
  expect(await freeze()).toMatch(/^2 freeze: Say which fold is to be kept: .+\n$/);
  expect(await freeze('listing')).toMatch(
    /^2 freeze: There is no read model listing\. It is one of listings, categories, monitor\.\n$/,
  );
  expect(await freeze('listings')).toMatch(
    /^0 earlier\/listings@\d+\/ has the fold as it is now, in \d+ files, .+\n$/,
  );
  const index = copy.read('earlier/index.ts');
  expect(await freeze('listings')).toMatch(/^1 freeze: earlier\/listings@\d+\/ is there already: .+\n$/);
  expect(copy.read('earlier/index.ts')).toBe(index);
});

function decodedBy(decode: Decode, event: (typeof RECORDED)[number]): CatalogEvent {
  const record = recordOf(event);
  const result = decode({ ...record, topic: `test.${record.topic}` });
  if (result.outcome === 'event') return result.event;
  throw new Error(`It was not decoded: ${result.outcome}`);
}
