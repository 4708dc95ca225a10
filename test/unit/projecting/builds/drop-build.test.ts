import { beforeEach, expect, test } from 'vitest';

import { dropBuild } from '../../../../src/projecting/builds/drop-build.ts';
import { beginBuildOf } from '../../../../src/projecting/builds/claim-build.ts';
import { PARKED } from '../../../../src/projecting/engine/parking.ts';
import { BUILDS } from '../../../../src/stores/builds.ts';
import { FEED_LEASES } from '../../../../src/stores/feed-lease.ts';
import { LAGS } from '../../../../src/stores/lag-notes.ts';
import { WORKERS } from '../../../../src/stores/workers.ts';
import { LIVE, OTHER, openBuildsStage, standingStill } from '../../../support/builds-stage.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { storedIn } from '../../../support/documents.ts';

const stage = forEachTest(openBuildsStage);
const indexes = new Set<string>();

beforeEach(async () => {
  const specs = [PARKED, BUILDS, FEED_LEASES, LAGS];
  for (const spec of [...specs, ...[LIVE, OTHER].map((name) => ({ name, indexes: [] }))])
    await stage.documents.declare(spec);
  for (const build of [LIVE, OTHER]) {
    await stage.putLane(build);
    for (const { name } of specs)
      await stage.put(name, name === PARKED.name ? `${build}/notes/0/3` : build, {
        readModel: build,
        state: 'parked',
      });
    await stage.put(build, 'a', {});
    indexes.add(build);
  }
});

function drop(build: string, graceMs?: number, documents = stage.documents): Promise<string | null> {
  const { clock } = stage;
  const search = {
    indexes: async () => [...indexes],
    drop: async (index: string) => void indexes.delete(index),
  };
  const { signal } = new AbortController();
  return dropBuild({ documents, search, clock, signal, ...(graceMs && { graceMs }) }, 'notes', build);
}

/** Everything that is stored under the name of a build. */
async function stored(build: string): Promise<readonly string[]> {
  const found: string[] = indexes.has(build) ? ['index'] : [];
  for (const collection of await stage.documents.collections()) {
    if (collection === build) found.push(collection);
    for (const { id } of await storedIn(stage.documents, collection))
      if (id === build || id.startsWith(`${build}/`)) found.push(`${collection}/${id}`);
  }
  return found;
}

test('nothing is left of a build that was dropped, and everything of the others', async () => {
  const before = await stored(LIVE);
  expect(await stored(OTHER)).toHaveLength(before.length);
  expect(await drop(OTHER)).toBeNull();
  expect(await stored(OTHER)).toEqual([]);
  expect(await stored(LIVE)).toEqual(before);
  expect((await stage.alias()).beside).toEqual([]);
});

test('a name is not used again, also where nobody has counted that build', async () => {
  expect((await stage.alias()).begun).toEqual({});
  expect(await drop(OTHER)).toBeNull();
  expect((await stage.alias()).begun).toEqual({ 1: 2 });
});

test('the live build is not dropped', async () => {
  expect(await drop(LIVE)).toBe(`${LIVE} is live: cut over to another build first`);
});

test('a build that was live is kept for an hour after the switch, and no longer', async () => {
  const switched = (at: number) =>
    stage.change({ before: OTHER, switches: [{ build: 'notes@4', before: OTHER, at }] });
  await switched(stage.clock.now());
  expect(await drop(OTHER)).toContain('it is kept for 1 h, for a rollback');
  await stage.change({ before: 'notes@4' });
  expect(await drop(OTHER)).toContain('it is kept for 1 h, for a rollback');
  // By a clock that has been put back since.
  await switched(stage.clock.now() + 10_800_000);
  expect(await drop(OTHER)).toContain('was live until 0 ms ago');
  await switched(stage.clock.now() - 3_600_000);
  expect(await drop(OTHER)).toBeNull();
  expect((await stage.alias()).before).toBeNull();
});

test('nothing is dropped while somebody is about to switch', async () => {
  const until = stage.clock.now() + 5000;
  await stage.change({ pause: { token: 't', owner: 'command', until, builds: [LIVE] } });
  expect(await drop(OTHER)).toBe('command is about to switch notes');
  expect((await stage.alias()).beside).toEqual([OTHER]);
});

test('nothing is dropped where a switch began while the command stood still', async () => {
  expect(await drop(OTHER, undefined, standingStill(stage, 'other'))).toBe('other is about to switch notes');
  expect((await stage.alias()).beside).toEqual([OTHER]);
});

test('a pause that has run out ends with the drop: its switch must not come late', async () => {
  const until = stage.clock.now() - 1;
  await stage.change({ pause: { token: 't', owner: 'killed', until, builds: [LIVE] } });
  expect(await drop(OTHER)).toBeNull();
  expect((await stage.alias()).pause).toBeNull();
});

test('a projector that has lanes of it is waited for, and named where it does not let them go', async () => {
  const lanes = { [`${OTHER}/notes/0`]: { state: 'running', since: 0, reason: null } } as const;
  stage.acting = () => stage.say('worker', lanes);
  await stage.say('worker', lanes);
  expect(await drop(OTHER)).toBe(`the projector host of worker still has lanes of ${OTHER}: try again`);
  expect(await stored(OTHER)).not.toEqual([]);
  let looks = 0;
  stage.acting = () => stage.say('worker', (looks += 1) > 4 ? {} : lanes);
  expect(await drop(OTHER)).toBeNull();
  expect(await stored(OTHER)).toEqual([]);
});

test('a projector that has not spoken since is waited for: it may only just have joined', async () => {
  await stage.say('worker');
  const began = stage.clock.monotonic();
  let saidAt = 0;
  stage.acting = async () => {
    if (saidAt > 0 || stage.clock.monotonic() < began + 5000) return;
    expect(await stored(OTHER)).not.toEqual([]);
    saidAt = stage.clock.monotonic();
    await stage.say('worker');
  };
  expect(await drop(OTHER)).toBeNull();
  expect(saidAt).toBeGreaterThan(0);
  expect(await stage.documents.versions(WORKERS.name, ['worker'])).toHaveProperty('size', 1);
});

test('what a projector had begun to write when it let the build go is removed as well', async () => {
  let isLate = false;
  stage.acting = async () => {
    if (isLate || indexes.has(OTHER)) return;
    isLate = true;
    await stage.put(BUILDS.name, OTHER, {});
  };
  expect(await drop(OTHER)).toBeNull();
  expect([isLate, await stored(OTHER)]).toEqual([true, []]);
});

test('the name of a build that was dropped is given to no other one', async () => {
  const begin = () => beginBuildOf(stage.documents, { name: 'notes', version: 1 }, 'fold');
  expect(await begin()).toEqual({ build: 'notes@1-b3' });
  expect(await drop('notes@1-b3')).toBeNull();
  expect(await drop(OTHER)).toBeNull();
  expect(await begin()).toEqual({ build: 'notes@1-b4' });
});

test('a build into which an event is redriven stays until that is done', async () => {
  const id = `${LIVE}/notes/0/7`;
  await stage.documents.declare(PARKED);
  await stage.put(PARKED.name, id, { readModel: LIVE, state: 'parked', redriving: true });
  expect(await drop(OTHER)).toBe(`a redrive of ${id} was begun and not finished: redrive it first`);
  expect(await stored(OTHER)).not.toEqual([]);
});
