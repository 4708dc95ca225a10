import { beforeEach, expect, test } from 'vitest';

import type { Log } from '../../../../src/events/log/port.ts';
import { RetryableError } from '../../../../src/platform/errors.ts';
import {
  startSeeder,
  maySeed,
  seedBuild,
  type SeedingParts,
} from '../../../../src/projecting/builds/seed-build-from-live.ts';
import { PARKED, type ParkedEvent } from '../../../../src/projecting/engine/parking.ts';
import {
  collectionOf,
  collectionSpec,
  type ReadModelDocument,
} from '../../../../src/projecting/engine/projection.ts';
import { createRetry } from '../../../../src/projecting/engine/retry.ts';
import { beginBuild, BUILDS, completeBuild, readBuild } from '../../../../src/stores/builds.ts';
import { type Documents } from '../../../../src/stores/documents/port.ts';
import { LIVE, OTHER, openBuildsStage, type BuildsStage } from '../../../support/builds-stage.ts';
import { captureLog, type CapturedLog } from '../../../support/captured-log.ts';
import { NOTES, type NoteRegisters } from '../../../support/fake-projection.ts';
import { overriding } from '../../../support/overriding.ts';
import { storedIn } from '../../../support/documents.ts';

const SECOND = { ...NOTES, build: 'b2' };

let stage: BuildsStage;
let said: CapturedLog;
beforeEach(async () => {
  stage = await openBuildsStage();
  said = captureLog();
  for (const spec of [PARKED, BUILDS, collectionSpec(NOTES), collectionSpec(SECOND)])
    await stage.documents.declare(spec);
  await stage.putLane(LIVE);
  await stage.putLane(OTHER, { position: 3 });
  stage.ends = { earliest: 3, latest: 5 };
  await beginBuild(stage.documents, OTHER, {});
});

const note = (at: number, value: string): NoteRegisters => ({ note: { at, digest: `${at}`, value } });

async function put(build: string, id: string, registers: NoteRegisters): Promise<void> {
  const body = { registers, view: { text: registers.note?.value ?? null } };
  await stage.put(build, id, body);
}

async function textsIn(build: string): Promise<Readonly<Record<string, unknown>>> {
  const all = await storedIn<ReadModelDocument>(stage.documents, build);
  return Object.fromEntries(all.map(({ id, body }) => [id, (body.view as { readonly text: unknown }).text]));
}

function parts(documents: Documents = stage.documents): SeedingParts {
  const { log, clock } = stage;
  return {
    documents,
    log,
    topicName: (topic) => topic,
    logger: said.logger,
    retry: createRetry({ clock, logger: said.logger, signal: AbortSignal.abort() }),
    pause: async () => undefined,
    breathe: async () => undefined,
  };
}

test('the registers of the live build are joined with what the log has said since', async () => {
  await put(LIVE, 'a', note(1, 'gone from the log'));
  await put(LIVE, 'b', note(1, 'older'));
  await put(OTHER, 'b', note(2, 'newer'));
  await put(OTHER, 'c', note(1, 'new'));
  expect(await seedBuild(parts(), NOTES, SECOND)).toEqual({ from: LIVE, documents: 2, left_out: 0 });
  expect(await textsIn(OTHER)).toEqual({ a: 'gone from the log', b: 'newer', c: 'new' });
  expect((await readBuild(stage.documents, OTHER))?.seeded).toBeDefined();
});

test('cut off at any write, it is repeated, and ends in the same documents', async () => {
  const ids = Array.from({ length: 1500 }, (_, at) => `n${String(at).padStart(4, '0')}`);
  for (const id of ids) await put(LIVE, id, note(1, id));
  for (let kept = 0; ; kept += 1) {
    let left = kept;
    const dying = overriding(stage.documents, {
      write: async (collection, writes, options) => {
        if (left-- <= 0) throw new RetryableError('killed');
        return stage.documents.write(collection, writes, options);
      },
    });
    const isDone = await seedBuild(parts(dying), NOTES, SECOND).then(
      () => true,
      () => false,
    );
    if (isDone) break;
    expect((await readBuild(stage.documents, OTHER))?.seeded).toBeUndefined();
  }
  expect(await textsIn(OTHER)).toEqual(await textsIn(LIVE));
});

test('a document that the new fold cannot show is left out, alone, and said', async () => {
  for (const id of ['a', 'b', 'c']) await put(LIVE, id, note(1, id === 'b' ? 'no view' : 'fine'));
  expect(await seedBuild(parts(), NOTES, SECOND)).toMatchObject({ documents: 2, left_out: 1 });
  expect(await textsIn(OTHER)).toEqual({ a: 'fine', c: 'fine' });
  expect(said.said()).toContain('warn: a document of the live build cannot be taken over');
});

test('what was parked of the records that are gone is kept for the new build, with what was decided', async () => {
  const parked = (build: string, position: number, state = 'parked') => {
    const body = { readModel: build, topic: 'notes', partition: 0, position, state, value: 'AA==' };
    const id = `${build}/notes/0/${position}`;
    return stage.put(PARKED.name, id, body);
  };
  await parked(LIVE, 1);
  await parked(LIVE, 2, 'discarded');
  // This one the log still has: the build's own lane says what becomes of it.
  await parked(LIVE, 4);
  await seedBuild(parts(), NOTES, SECOND);
  const ids = [1, 2, 4].map((position) => `${OTHER}/notes/0/${position}`);
  const found = await stage.documents.get<ParkedEvent>(PARKED.name, ids);
  expect(ids.slice(0, 2).map((id) => found.get(id)?.body)).toMatchObject([
    { readModel: OTHER, state: 'parked', value: 'AA==' },
    { readModel: OTHER, state: 'discarded' },
  ]);
  expect(found.has(ids[2] ?? '')).toBe(false);
});

test('it waits until the build has its places in the log, and the live one has written what it read before them', async () => {
  expect(await maySeed(parts(), NOTES, SECOND)).toBe(true);
  await stage.putLane(LIVE, { position: 2 });
  expect(await maySeed(parts(), NOTES, SECOND)).toBe(false);
  await stage.putLane(LIVE, { position: 2, halted: { reason: 'gap', from: 2, to: 3 } });
  expect(await maySeed(parts(), NOTES, SECOND)).toBe(true);
  const two = async () => [0, 1].map((partition) => ({ partition, ...stage.ends }));
  const log = { ends: two } as Partial<Log> as Log;
  expect(await maySeed({ ...parts(), log }, NOTES, SECOND)).toBe(false);
});

/** Of the projector that has all lanes. */
function seeder(sourceOf: () => typeof NOTES | null) {
  const { documents, log, clock } = stage;
  return startSeeder({
    documents,
    log,
    topicName: (topic) => topic,
    logger: said.logger,
    clock,
    builds: [NOTES, SECOND],
    sourceOf: async () => sourceOf(),
    isRunning: () => true,
  });
}

test('what readers see is not looked at: it has what it has', async () => {
  let [looks, reads] = [0, 0];
  const documents = overriding(stage.documents, {
    get: (...args) => ((reads += 1), stage.documents.get(...args)),
  });
  await using _seeder = startSeeder({
    ...parts(documents),
    clock: stage.clock,
    builds: [NOTES],
    sourceOf: async () => null,
    isLive: (build) => build === LIVE,
    isRunning: () => (looks += 1) > 0,
  });
  await expect.poll(() => looks).toBeGreaterThan(2);
  expect(reads).toBe(0);
});

test('a build is not complete before it has what the log does not say', async () => {
  await put(LIVE, 'a', note(1, 'gone from the log'));
  await stage.putLane(LIVE, { position: 2 });
  await using seeding = seeder(() => NOTES);
  expect(await seeding.isDone(SECOND)).toBe(false);
  expect(await seeding.isDone(NOTES)).toBe(true);
  await stage.putLane(LIVE, { position: 5 });
  await expect.poll(() => seeding.isDone(SECOND)).toBe(true);
  expect(await textsIn(OTHER)).toEqual({ a: 'gone from the log' });
});

test('one with other registers takes nothing over, waits for nothing, and says what the log no longer holds', async () => {
  await put(LIVE, 'a', note(1, 'gone from the log'));
  await using seeding = seeder(() => null);
  expect(await seeding.isDone(SECOND)).toBe(true);
  const line = 'warn: the live build may know what the log no longer holds, and this build cannot';
  await expect.poll(() => said.said()).toEqual([line]);
  expect(said.lines.join('')).toContain('the log no longer holds the records of notes/0 before 3');
  expect(await textsIn(OTHER)).toEqual({});
});

test.each([
  [
    'the log is whole',
    async () => {
      stage.ends = { earliest: 0, latest: 5 };
    },
  ],
  ['it was complete before', () => completeBuild(stage.documents, OTHER)],
  ['it was live before', () => stage.change({ before: OTHER })],
] as const)('nothing is taken over where %s', async (_why, change) => {
  await put(LIVE, 'a', note(1, 'gone from the log'));
  await change();
  await using seeding = seeder(() => NOTES);
  expect(await seeding.isDone(SECOND)).toBe(true);
  expect(await textsIn(collectionOf(SECOND))).toEqual({});
});

test('a log that took the place of another one is no whole log', async () => {
  stage.ends = { earliest: 0, latest: 5 };
  await stage.putLane(LIVE, { incarnation: 1 });
  await put(LIVE, 'a', note(1, 'of the other log'));
  await using seeding = seeder(() => NOTES);
  await expect.poll(() => seeding.isDone(SECOND)).toBe(true);
  expect(await textsIn(OTHER)).toEqual({ a: 'of the other log' });
});
