import { beforeEach, describe, expect, test } from 'vitest';

import { RetryableError } from '../../../../src/platform/errors.ts';
import { switchBuild, type SwitchResult } from '../../../../src/projecting/builds/switch-build.ts';
import { PARKED } from '../../../../src/projecting/engine/parking.ts';
import type { Documents } from '../../../../src/stores/documents/port.ts';
import { ALIASES, READERS_MS, type Alias } from '../../../../src/stores/aliases.ts';
import { overriding } from '../../../support/overriding.ts';
import { LIVE, OTHER, openBuildsStage, standingStill } from '../../../support/builds-stage.ts';
import { forEachTest } from '../../../support/for-each-test.ts';

const stage = forEachTest(openBuildsStage);
beforeEach(async () => {
  await stage.putLane(LIVE);
  await stage.putLane(OTHER);
  await stage.obey('worker');
});

function switching(documents: Documents = stage.documents, owner = 'command'): Promise<SwitchResult> {
  const { log, clock } = stage;
  const { signal } = new AbortController();
  const wanted = { name: 'notes', target: OTHER, index: null, pinned: false };
  return switchBuild({ documents, log, clock, signal, owner }, wanted);
}

/** At each sleep of the command this happens as well. */
function thenAlso(act: () => Promise<unknown>): void {
  const { acting } = stage;
  stage.acting = async () => {
    await acting();
    await act();
  };
}

/** The documents, where this takes the place of every write that switches; `write` does it. */
function switchingBy(act: (write: () => ReturnType<Documents['write']>) => ReturnType<Documents['write']>) {
  const { documents } = stage;
  return overriding(documents, {
    write: async (collection, writes, options) => {
      const write = () => documents.write(collection, writes, options);
      const alias = writes[0]?.body as Alias | undefined;
      return collection === ALIASES.name && alias?.collection === OTHER ? act(write) : write();
    },
  });
}

async function live(): Promise<string> {
  return (await stage.alias()).collection;
}

test('another build becomes live once the lanes of both are quiet, and the one before is kept up to date', async () => {
  expect(await switching()).toEqual({ outcome: 'switched', from: LIVE, to: OTHER });
  expect(await stage.alias()).toMatchObject({
    collection: OTHER,
    beside: [LIVE],
    before: LIVE,
    pause: null,
    pinned: false,
    switches: [{ build: OTHER, before: LIVE, at: expect.any(Number) as number }],
  });
});

test('the build that was live stays quiet for as long as processes may read it, and the new one goes on', async () => {
  const pauses: Alias['pause'][] = [];
  const { acting } = stage;
  stage.acting = async () => {
    if ((await live()) === OTHER) pauses.push((await stage.alias()).pause);
    await acting();
  };
  const began = stage.clock.monotonic();
  await switching();
  expect(pauses).toEqual([expect.objectContaining({ builds: [LIVE], owner: 'command' })]);
  expect(stage.clock.monotonic() - began).toBeGreaterThanOrEqual(READERS_MS);
});

test('it stays quiet for as long where the write that switches takes long, and its command is killed then', async () => {
  const { documents, clock } = stage;
  let switchedAt = 0;
  const slow = switchingBy(async (write) => {
    await clock.sleep(5000);
    await write();
    switchedAt = clock.now();
    throw new Error('killed');
  });
  const killed = overriding(slow, {
    get: async (collection, ids, options) => {
      if (switchedAt > 0) throw new Error('killed');
      return documents.get(collection, ids, options);
    },
  });
  await expect(switching(killed)).rejects.toThrow('killed');
  const { collection, pause } = await stage.alias();
  expect([collection, pause?.builds]).toEqual([OTHER, [LIVE]]);
  expect(pause?.until).toBeGreaterThanOrEqual(switchedAt + READERS_MS);
});

/** Nothing changes, for this reason. */
async function expectGivenUp(reason: string): Promise<void> {
  expect(await switching()).toEqual({ outcome: 'given_up', reason });
  expect(await live()).toBe(LIVE);
}

describe('nothing changes', () => {
  test('where a worker has ended the pause: the switch comes late', async () => {
    thenAlso(() => stage.change({ pause: null }));
    await expectGivenUp('the pause has run out');
  });

  test('where another command is about to switch; it is named', async () => {
    let second: SwitchResult | null = null;
    const { acting } = stage;
    stage.acting = async () => {
      second ??= await switching(stage.documents, 'second');
      await acting();
    };
    expect(await switching()).toMatchObject({ outcome: 'switched' });
    expect(second).toEqual({ outcome: 'given_up', reason: 'command is about to switch notes' });
  });

  test('where another command began to switch while this one stood still', async () => {
    const reason = 'other is about to switch notes';
    expect(await switching(standingStill(stage, 'other'))).toEqual({ outcome: 'given_up', reason });
    expect((await stage.alias()).pause).toMatchObject({ owner: 'other' });
  });

  test('while an event is redriven, which one build may have and the other one not', async () => {
    const id = `${OTHER}/notes/0/0`;
    const body = { state: 'parked', readModel: OTHER, redriving: true };
    await stage.documents.declare(PARKED);
    await stage.documents.write(PARKED.name, [{ id, read: null, version: 'begun', body }]);
    await expectGivenUp(`a redrive of ${id} was begun and not finished`);
    thenAlso(() => stage.documents.remove(PARKED.name, [{ id, read: 'begun' }]));
    expect(await switching()).toMatchObject({ outcome: 'switched' });
  });

  test('where the owner of a lane says nothing; it is named, and its lane goes on', async () => {
    stage.acting = () => stage.say('worker');
    await expectGivenUp('the projector host of worker has not said that notes@1/notes/0 is quiet');
    expect((await stage.alias()).pause).toBeNull();
    expect(await stage.lane(LIVE)).toMatchObject({ owner: 'worker', epoch: 1 });
  });

  test('where a lane of the other build has not begun, however far the others are', async () => {
    await stage.documents.remove('checkpoints', await laneOf(OTHER));
    await expectGivenUp(`${OTHER} has 5 records of notes/0 before it`);
  });

  test('where the other build has not read all that a worker may have written without a checkpoint', async () => {
    stage.ends = { earliest: 0, latest: 7 };
    await expectGivenUp(`${OTHER} has 2 records of notes/0 before it`);
  });

  test('where a process has begun to serve meanwhile that has no answers for the other build; it is named', async () => {
    thenAlso(() => stage.serve('late', { notes: [2] }));
    await expectGivenUp(
      `late serves readers and cannot serve ${OTHER}: stop it, or give it the release that can`,
    );
    expect((await stage.alias()).pause).toBeNull();
  });

  test('where the other build was taken away meanwhile, by somebody who left the pause', async () => {
    thenAlso(() => stage.change({ beside: [] }));
    await expectGivenUp(`${OTHER} was dropped meanwhile`);
  });
});

test('where the answer of the switch is lost it has switched', async () => {
  let isLost = false;
  const losing = switchingBy(async (write) => {
    const outcomes = await write();
    if (isLost) return outcomes;
    isLost = true;
    throw new RetryableError('unanswered');
  });
  expect(await switching(losing)).toMatchObject({ outcome: 'switched' });
  expect([isLost, await live()]).toEqual([true, OTHER]);
});

test('where somebody else changes the alias just before the switch is written, both changes stand', async () => {
  const folds = { 1: 'fold', 2: 'noted' };
  let isChanged = false;
  const disturbed = switchingBy(async (write) => {
    if (!isChanged) await stage.change({ folds });
    isChanged = true;
    return write();
  });
  expect(await switching(disturbed)).toEqual({ outcome: 'switched', from: LIVE, to: OTHER });
  expect(await stage.alias()).toMatchObject({ collection: OTHER, folds });
});

test('a halted lane of the live build holds up nobody', async () => {
  const halted = { reason: 'log_younger', position: 90, latest: 5 } as const;
  await stage.putLane(LIVE, { position: 90, halted });
  expect(await switching()).toMatchObject({ outcome: 'switched' });
});

test('a lane that nobody speaks of is taken away from its owner, which cannot checkpoint any more', async () => {
  await stage.putLane(LIVE, { owner: 'unheard', epoch: 4 });
  stage.acting = async () => {
    await stage.say('worker');
    const other = await stage.lane(OTHER);
    const { pause } = await stage.alias();
    if (other && pause?.builds.includes(OTHER)) await stage.putLane(OTHER, { ...other, quiet: pause.token });
  };
  expect(await switching()).toMatchObject({ outcome: 'switched' });
  const taken = await stage.lane(LIVE);
  expect(taken).toMatchObject({ epoch: 5, position: 5 });
  expect(taken?.owner).not.toBe('unheard');
});

test('a pause from before the clock of the store was put back holds up nobody', async () => {
  const until = stage.clock.now() + 3_600_000;
  await stage.change({ pause: { token: 'old', owner: 'killed', until, builds: [LIVE] } });
  expect(await switching()).toMatchObject({ outcome: 'switched' });
});

async function laneOf(build: string) {
  const id = `${build}/notes/0`;
  const versions = await stage.documents.versions('checkpoints', [id]);
  return [{ id, read: versions.get(id) ?? '' }];
}
