import { beforeEach, expect, test } from 'vitest';

import { RetryableError } from '../../../../src/platform/errors.ts';
import type { Log } from '../../../../src/events/log/port.ts';
import { refoldDocument, type Refolded } from '../../../../src/projecting/builds/one-document.ts';
import { PARKED } from '../../../../src/projecting/engine/parking.ts';
import { collectionSpec } from '../../../../src/projecting/engine/projection.ts';
import { beginBuild, beginVerification, BUILDS, readBuild } from '../../../../src/stores/builds.ts';
import { LIVE, openBuildsStage, type BuildsStage } from '../../../support/builds-stage.ts';
import { decodeNote, noteEvent, NOTES } from '../../../support/fake-projection.ts';
import { overriding } from '../../../support/overriding.ts';

let stage: BuildsStage;
/** What happens while the log is read. */
let meanwhile: () => Promise<void>;

beforeEach(async () => {
  stage = await openBuildsStage();
  stage.values = [JSON.stringify([1, 'x'])];
  meanwhile = async () => undefined;
  for (const spec of [PARKED, BUILDS, collectionSpec(NOTES)]) await stage.documents.declare(spec);
  await beginBuild(stage.documents, LIVE, {});
  const counts = { applied: 1, superseded: 0, parked: 0, ignored: 0 };
  await stage.putLane(LIVE, { position: 1, counts });
  stage.ends = { earliest: 0, latest: 1 };
});

function refold(): Promise<Refolded> {
  const { documents, log } = stage;
  const read: Log['read'] = async function* (range) {
    await meanwhile();
    yield* log.read(range);
  };
  return refoldDocument(
    {
      documents,
      log: overriding(log, { read }),
      projections: [NOTES],
      topicName: (topic) => topic,
      decode: decodeNote,
      signal: new AbortController().signal,
    },
    NOTES,
    'a',
  );
}

const isThere = async (): Promise<boolean> => (await stage.documents.versions(LIVE, ['a'])).has('a');

test('a document is folded again from the log, and its build is to be verified again', async () => {
  await (
    await beginVerification(stage.documents, LIVE)
  )({ digest: 'd', documents: 1 });
  expect(await refold()).toMatchObject({ outcome: 'written', before: null, after: { text: 'x' } });
  expect((await readBuild(stage.documents, LIVE))?.verified).toBeUndefined();
});

test('nothing is written where a switch has begun while the log was read: the other build need not come as far', async () => {
  meanwhile = () =>
    stage.change({
      pause: { token: 't', owner: 'switch', until: stage.clock.now() + 10_000, builds: [LIVE] },
    });
  expect(await refold()).toEqual({
    outcome: 'refused',
    reason: 'switch is about to switch notes: try again',
  });
  expect(await isThere()).toBe(false);
});

test.each([
  [
    'what the document has of an event stays, although that is parked: its redrive was cut off, say',
    'x',
    'x',
  ],
  ['what the document has not of an event that is parked is left out, as by lanes', 'other', null],
])('%s', async (_rule, known, expected) => {
  stage.values = [JSON.stringify([2, 'x']), JSON.stringify([1, 'earlier'])];
  stage.ends = { earliest: 0, latest: 2 };
  const counts = { applied: 1, superseded: 0, parked: 1, ignored: 0 };
  await stage.putLane(LIVE, { position: 2, counts });
  await stage.put(PARKED.name, `${LIVE}/notes/0/0`, { readModel: LIVE, state: 'parked' });
  const stored = NOTES.contribution(noteEvent('a', known === 'x' ? 2 : 0, known));
  await stage.put(LIVE, 'a', { registers: stored, view: NOTES.view('a', stored) });
  expect(await refold()).toMatchObject({ outcome: 'written', after: { text: expected ?? 'earlier' } });
});

test('what has no view is refused with the reason: its lane is about to park what is to blame', async () => {
  stage.values = [...stage.values, JSON.stringify([2, 'no view'])];
  stage.ends = { earliest: 0, latest: 2 };
  expect(await refold()).toEqual({
    outcome: 'refused',
    reason: 'what the log says of it cannot be shown: the view threw',
  });
});

test('nothing is written where the log does not know a topic at the moment, or not how far it is', async () => {
  const { log } = stage;
  const known = await log.ends('notes');
  for (const answers of [[], [known, known, []]]) {
    const left = [...answers];
    stage.log = overriding(log, { ends: async () => left.shift() ?? [] });
    const outcome = await refold().catch((thrown: unknown) => thrown);
    expect(outcome instanceof RetryableError || (outcome as Refolded).outcome === 'refused').toBe(true);
    expect(await isThere()).toBe(false);
  }
});
