import { beforeEach, describe, expect, test } from 'vitest';

import { systemClock } from '../../../src/platform/time/clock.ts';
import type { Documents } from '../../../src/stores/documents/port.ts';
import { claimVersion } from '../../../src/stores/claim-version.ts';
import {
  changeAlias,
  endOverduePause,
  NOTHING_BESIDE,
  type Alias,
  readAlias,
  type Pause,
} from '../../../src/stores/aliases.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { openDocuments } from '../../support/documents.ts';
import { overriding } from '../../support/overriding.ts';

const FIRST = { name: 'listings', version: 1, collection: 'listings@1', fold: 'digest-1' };
const CLAIM_OF_SECOND = { ...FIRST, version: 2, collection: 'listings@2', fold: 'digest-2' };
const SECOND: Alias = {
  version: 2,
  collection: 'listings@2',
  index: 'listings@2',
  folds: { 1: 'digest-1', 2: 'digest-2' },
  ...NOTHING_BESIDE,
};

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const open = (): Documents => openDocuments({}, folder);

/** Where the first version is live. */
async function claimed() {
  const documents = open();
  await claimVersion(documents, FIRST);
  const live = (name: string) => readAlias(documents, name);
  return { documents, live, current: await live('listings') };
}

describe('claiming a version', () => {
  test('a changed fold is refused for a version that was live before, too', async () => {
    const { documents } = await claimed();
    await changeAlias(documents, 'listings', () => SECOND);
    expect(await claimVersion(documents, FIRST)).toBe('other_version');
    expect(await claimVersion(documents, { ...FIRST, fold: 'changed' })).toBe('changed_fold');
  });

  test('a live version whose fold is not known yet is remembered with the one that claims it', async () => {
    const { documents, live } = await claimed();
    await changeAlias(documents, 'listings', () => ({ ...SECOND, folds: { 1: 'digest-1' } }));
    expect(await claimVersion(documents, CLAIM_OF_SECOND)).toBe('live');
    expect(await live('listings')).toMatchObject(SECOND);
  });

  test('of processes that start different folds at once, one wins and the others are refused', async () => {
    const claims = ['a', 'b', 'c', 'd'].map((fold) => claimVersion(open(), { ...FIRST, fold }));
    const outcomes = await Promise.all(claims);
    expect(outcomes.toSorted()).toEqual(['changed_fold', 'changed_fold', 'changed_fold', 'live']);
  });

  test('of processes that start the same fold at once, all may go on', async () => {
    const claims = await Promise.all(
      [open(), open(), open()].map((documents) => claimVersion(documents, FIRST)),
    );
    expect(claims).toEqual(['live', 'live', 'live']);
  });
});

test('a build beside the live one is refused to a process with another fold of its version', async () => {
  const { documents } = await claimed();
  await claimVersion(documents, { ...CLAIM_OF_SECOND, begin: true });
  expect(await claimVersion(documents, { ...CLAIM_OF_SECOND, fold: 'changed' })).toBe('changed_fold');
});

describe('a pause', () => {
  const clock = { ...systemClock, now: () => time };
  let time: number;
  let documents: Documents;
  beforeEach(async () => {
    time = 1_000_000;
    documents = openDocuments({ clock });
    await claimVersion(documents, FIRST);
  });

  const begin = async (left: number): Promise<Pause> => {
    const pause = { token: `${time}`, owner: 'a:1', until: time + left, builds: ['listings@1'] };
    await changeAlias(documents, 'listings', (alias) => alias && { ...alias, pause });
    return pause;
  };
  const standing = async () => (await readAlias(documents, 'listings'))?.pause;

  test.each([
    ['that is over', 0],
    ['of a time before the clock was put back', 3_600_000],
  ])('%s is ended by whoever finds it', async (_, left) => {
    const pause = await begin(left);
    expect(await endOverduePause(documents, 'listings')).toEqual(pause);
    expect(await standing()).toBeNull();
    expect(await endOverduePause(documents, 'listings')).toBeNull();
  });

  test('that began while a process stood still that was about to end another one stands', async () => {
    await begin(0);
    let begun: Pause | undefined;
    const asleep = overriding(documents, {
      now: async () => {
        const now = time;
        if (begun) return now;
        time += 55_000;
        begun = await begin(10_000);
        return now;
      },
    });
    expect(await endOverduePause(asleep, 'listings')).toBeNull();
    expect(await standing()).toEqual(begun);
  });
});
