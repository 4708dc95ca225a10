import { beforeEach, describe, expect, test } from 'vitest';

import { createLogger } from '../../../../src/platform/logger.ts';
import { cutOver, type CutOverParts } from '../../../../src/projecting/builds/verify-and-cut-over.ts';
import { PARKED } from '../../../../src/projecting/engine/parking.ts';
import { collectionSpec } from '../../../../src/projecting/engine/projection.ts';
import {
  beginBuild,
  BUILDS,
  beginVerification,
  completeBuild,
  noteAltered,
  readBuild,
} from '../../../../src/stores/builds.ts';
import type { Search } from '../../../../src/stores/search/port.ts';
import { LIVE, OTHER, openBuildsStage } from '../../../support/builds-stage.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { decodeNote, NOTES, SEARCHED_NOTES } from '../../../support/fake-projection.ts';
import { storedIn } from '../../../support/documents.ts';

/** What has to be true of a build before it becomes live, and what follows from it. */

const TARGET = { ...NOTES, build: 'b2' };

const stage = forEachTest(openBuildsStage);
beforeEach(async () => {
  for (const spec of [PARKED, BUILDS, collectionSpec(NOTES), collectionSpec(TARGET)])
    await stage.documents.declare(spec);
  for (const build of [LIVE, OTHER]) await stage.putLane(build, { position: 0 });
  stage.ends = { earliest: 0, latest: 0 };
  await stage.obey('worker');
});

function parts(overrides: Partial<CutOverParts> = {}): CutOverParts {
  return {
    documents: stage.documents,
    log: stage.log,
    search: { contents: async function* () {} } as Partial<Search> as Search,
    projections: [NOTES],
    topicName: (topic) => topic,
    decode: decodeNote,
    clock: stage.clock,
    logger: createLogger('silent', 'test'),
    standing: async () => [
      { build: LIVE, isLive: true, projection: NOTES },
      { build: OTHER, isLive: false, projection: TARGET },
    ],
    signal: new AbortController().signal,
    rejectedTopic: 'rejected',
    owner: 'command',
    ...overrides,
  };
}

/** Cuts over to `TARGET`, and not back. */
function cuttingOver(asked: Partial<Parameters<typeof cutOver>[1]> = {}, own: Partial<CutOverParts> = {}) {
  return cutOver(parts(own), { target: TARGET, isRollback: false, ...asked });
}

async function complete(): Promise<void> {
  await beginBuild(stage.documents, OTHER, {});
  await completeBuild(stage.documents, OTHER);
}

async function verified(): Promise<void> {
  const verify = await beginVerification(stage.documents, OTHER);
  await verify('d');
}

const live = async (): Promise<string> => (await stage.alias()).collection;

describe('a build is not made live', () => {
  test('that has not caught up, or was not begun, not even by a rollback', async () => {
    for (const isRollback of [false, true]) {
      expect(await cuttingOver({ isRollback })).toEqual({
        outcome: 'given_up',
        reason: `${OTHER} has not caught up with the log yet`,
      });
      await beginBuild(stage.documents, OTHER, {});
    }
  });

  test('that a process cannot serve which does serve, not even by a rollback; one that was not heard of lately is no matter', async () => {
    await complete();
    await stage.serve('old:1', { notes: [7] });
    for (const isRollback of [false, true])
      expect(await cuttingOver({ isRollback })).toMatchObject({
        reason: `old:1 serves readers and cannot serve ${OTHER}: stop it, or give it the release that can`,
      });
    await stage.clock.sleep(15_000);
    expect(await cuttingOver()).toMatchObject({ outcome: 'switched' });
  });

  test('that differs from the log; a rollback asks no proof, nor does one that has it', async () => {
    await complete();
    await stage.put(OTHER, 'a', {
      registers: { note: { at: 1, digest: 'd', value: 'x' } },
      view: { text: 'x' },
    });
    expect(await cuttingOver()).toEqual({
      outcome: 'given_up',
      reason: `${OTHER} differs from the log: a: no event in the log defines it`,
      isFinal: true,
    });
    expect((await readBuild(stage.documents, OTHER))?.verified).toBeUndefined();
    expect(await live()).toBe(LIVE);
    await verified();
    expect(await cuttingOver()).toMatchObject({ outcome: 'switched' });
    await beginBuild(stage.documents, LIVE, {});
    await completeBuild(stage.documents, LIVE);
    await stage.put(LIVE, 'a', { registers: { note: null }, view: { text: 'not what the registers say' } });
    expect(await cuttingOver({ target: NOTES, isRollback: true })).toMatchObject({ outcome: 'switched' });
  });

  test('whose index differs from its documents', async () => {
    await complete();
    const contents: Search['contents'] = async function* () {
      yield [{ id: 'stray', digest: 'd' }];
    };
    const search = { contents } as Partial<Search> as Search;
    const target = { ...SEARCHED_NOTES, build: 'b2' };
    const outcome = await cuttingOver({ target }, { search });
    expect(outcome).toMatchObject({
      outcome: 'given_up',
      reason: expect.stringMatching(/^the index notes@1-b2 differs from the documents: stray: /) as string,
    });
  });

  test('by itself where only the live one knows what the log has lost: a person may', async () => {
    await complete();
    await verified();
    await stage.change({ version: 1 });
    await stage.put(LIVE, 'a', {});
    stage.ends = { earliest: 3, latest: 3 };
    for (const build of [LIVE, OTHER]) await stage.putLane(build, { position: 3 });
    expect(await cuttingOver({ isAutomatic: true })).toEqual({
      outcome: 'given_up',
      reason: `the log no longer holds the records of notes/0 before 3, and ${OTHER} has 0 documents where ${LIVE} has 1: cut over by hand`,
    });
    expect(await cuttingOver()).toMatchObject({ outcome: 'switched' });
  });
});

test('what is compared is noted, so that it is not compared again', async () => {
  await complete();
  expect(await cuttingOver()).toMatchObject({ outcome: 'switched' });
  expect((await readBuild(stage.documents, OTHER))?.verified).toBeDefined();
});

describe('a redrive that was cut off', () => {
  const parkedIn = (build: string, begun: object = {}): Promise<void> => {
    const place = { readModel: build, topic: 'notes', partition: 0, position: 0, key: 'a', timestamp: 1 };
    const rejection = { code: 'unknown_version', reason: 'not known yet', source: '/s' };
    const value = Buffer.from(JSON.stringify([1, 'x'])).toString('base64');
    const body = {
      ...place,
      headers: {},
      value,
      state: 'parked',
      parkedAt: 1,
      redrives: 0,
      rejection,
      ...begun,
    };
    return stage.put(PARKED.name, `${build}/notes/0/0`, body);
  };
  const textIn = async (build: string): Promise<unknown> =>
    (await stage.documents.get<{ readonly view: unknown }>(build, ['a'])).get('a')?.body.view;

  test.each([false, true])(
    'is finished in all builds before the switch; rollback: %s',
    async (isRollback) => {
      await complete();
      await beginBuild(stage.documents, LIVE, {});
      stage.values = [JSON.stringify([1, 'x'])];
      stage.ends = { earliest: 0, latest: 1 };
      const counts = { applied: 0, superseded: 0, parked: 1, ignored: 0 };
      for (const build of [LIVE, OTHER]) await stage.putLane(build, { position: 1, counts });
      await parkedIn(LIVE, { redriving: true });
      await parkedIn(OTHER);
      expect(await cuttingOver({ isRollback })).toMatchObject({ outcome: 'switched' });
      expect([await textIn(LIVE), await textIn(OTHER)]).toEqual([{ text: 'x' }, { text: 'x' }]);
      expect(await storedIn(stage.documents, PARKED.name)).toEqual([]);
    },
  );
});

test('a build that was changed by hand since it was verified is not made live, but by a rollback', async () => {
  await complete();
  const { acting } = stage;
  stage.acting = async () => {
    await acting();
    await noteAltered(stage.documents, OTHER);
  };
  await stage.change({
    pause: { token: 'old', owner: 'killed', until: stage.clock.now() + 100, builds: [OTHER] },
  });
  expect(await cuttingOver()).toEqual({
    outcome: 'given_up',
    reason: `${OTHER} was changed by hand since it was verified: try again`,
  });
  expect(await cuttingOver({ isRollback: true })).toMatchObject({ outcome: 'switched' });
});

test('a rollback pins, a cut-over does not', async () => {
  await complete();
  await cuttingOver({ isRollback: true });
  expect(await stage.alias()).toMatchObject({ collection: OTHER, pinned: true });
});
