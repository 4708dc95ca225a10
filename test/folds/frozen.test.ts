import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { describe, expect, test } from 'vitest';

import { EARLIER } from '../../earlier/index.ts';
import type * as Earlier from '../../earlier/index.ts';
import { listings } from '../../projections/listings/index.ts';
import { foldDigest, recordedEvents } from '../../src/projecting/builds/fold-identity.ts';
import { createDecoder } from '../../src/events/decode.ts';
import { EVENT_TYPES } from '../../src/events/event-types.ts';
import { collectionOf } from '../../src/projecting/engine/projection.ts';
import { changedCopy, type ChangedCopy } from '../support/changed-copy.ts';
import { decoded, recordOf } from '../support/events.ts';

/** What `npm run freeze` keeps of a release for the next one. */

const KEPT = `earlier/${collectionOf(listings)}.js`;
const CHANGED_SCORE = {
  file: 'projections/listings/score.ts',
  at: "  ['audience', 30],\n  ['engagement', 25],",
  text: "  ['audience', 25],\n  ['engagement', 30],",
};

/** As the next release has it: in one file more, whatever becomes of the fold and of the schemas afterwards. */
async function keptIn(copy: ChangedCopy): Promise<Earlier.EarlierFold> {
  const before = readdirSync(join(copy.folder, 'earlier'));
  expect(await copy.freeze('listings')).toBe(KEPT);
  expect(readdirSync(join(copy.folder, 'earlier'))).toHaveLength(before.length + 1);
  copy.change([
    CHANGED_SCORE,
    { file: 'projections/listings/index.ts', at: /(?<=^  version: )\d+(?=,$)/m, text: '9' },
    { file: 'src/events/entry-events.ts', at: '  verified: ', text: '  seen: ' },
  ]);
  const kept = (await copy.load<typeof Earlier>('earlier/index.ts')).EARLIER.at(-1);
  if (!kept) throw new Error('Nothing is kept');
  return kept;
}

describe('a fold that is kept', () => {
  test('decodes as its release did, and makes the same documents, views and search entries', async () => {
    const kept = await keptIn(changedCopy([]));
    expect(collectionOf(kept.projection)).toBe(collectionOf(listings));
    const decode = kept.createDecode({ topicPrefix: 'test.' });
    for (const event of await recordedEvents(listings)) {
      const record = recordOf(event);
      const result = decode({ ...record, topic: `test.${record.topic}` });
      expect(result).toMatchObject({ outcome: 'event', event: decoded(event) });
    }
    const topicName = (topic: string) => topic;
    const ours = await foldDigest(listings, { decode: createDecoder(EVENT_TYPES), topicName });
    const theirs = kept.createDecode({ topicPrefix: '' });
    expect(await foldDigest(kept.projection, { decode: theirs, topicName })).toBe(ours);
  });

  test('imports nothing but what Node brings, and names no place of the machine that kept it', async () => {
    const copy = changedCopy([]);
    await copy.freeze('listings');
    const files = readdirSync(join(copy.folder, 'earlier')).filter((name) => name.endsWith('.js'));
    expect(files).toHaveLength(EARLIER.length + 1);
    for (const file of files) {
      const text = copy.read(`earlier/${file}`);
      const imported = [...text.matchAll(/^import .*?"([^"]+)";$/gm)].map(([, from]) => from);
      expect(imported.filter((from) => !from?.startsWith('node:'))).toEqual([]);
      expect(text).not.toContain(copy.folder);
      expect(text).not.toMatch(/^\/\/ [./]\S+\.[jt]s$/m);
    }
  });
});

test('two folds can be kept beside each other', async () => {
  const copy = changedCopy([]);
  await copy.freeze('listings');
  await copy.freeze('monitor');
  const { EARLIER: kept } = await copy.load<typeof Earlier>('earlier/index.ts');
  expect(kept.slice(-2).map(({ projection: { name } }) => name)).toEqual(['listings', 'monitor']);
});

test('a fold that was changed before it was kept is refused, and nothing is kept', async () => {
  const copy = changedCopy([CHANGED_SCORE]);
  const refused =
    /^The fold of listings@\d+ is not the one that was released: freeze it before you change it/;
  const before = readdirSync(join(copy.folder, 'earlier'));
  await expect(copy.freeze('listings')).rejects.toThrow(refused);
  expect(existsSync(join(copy.folder, KEPT))).toBe(false);
  expect(readdirSync(join(copy.folder, 'earlier'))).toEqual(before);
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
  expect(await freeze('listings')).toMatch(/^0 earlier\/listings@\d+\.js has the fold as it is now, .+\n$/);
  const index = copy.read('earlier/index.ts');
  expect(await freeze('listings')).toMatch(/^1 freeze: earlier\/listings@\d+\.js is there already: .+\n$/);
  expect(copy.read('earlier/index.ts')).toBe(index);
});
