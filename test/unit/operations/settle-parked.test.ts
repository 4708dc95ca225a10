import { expect, test } from 'vitest';

import { perform } from '../../../src/operations/perform-act.ts';
import { settleParked } from '../../../src/operations/settle-parked.ts';
import { beginVerification, readBuild, BUILDS, beginBuild } from '../../../src/stores/builds.ts';
import { changeAlias, readAlias } from '../../../src/stores/aliases.ts';
import { PARKED, type ParkedEvent, park } from '../../../src/projecting/engine/parking.ts';
import { overriding } from '../../support/overriding.ts';
import { StoppedError } from '../../../src/projecting/engine/retry.ts';
import { ACTS } from '../../../src/operations/act-log.ts';
import { claimBuild, beginBuildOf } from '../../../src/projecting/builds/claim-build.ts';
import { foldsOf } from '../../../src/projecting/builds/builds-by-fold.ts';
import { foldIdentity } from '../../../src/projecting/builds/fold-identity.ts';
import type { Parts } from '../../../src/compose/parts.ts';
import { ensureTopics } from '../../../src/compose/projector.ts';
import { createDecoder } from '../../../src/events/decode.ts';
import { structuredRecord } from '../../../src/events/event-types.ts';
import { CHECKPOINTS } from '../../../src/projecting/engine/lane.ts';
import {
  collectionOf,
  collectionSpec,
  type ReadModelDocument,
} from '../../../src/projecting/engine/projection.ts';
import { published } from '../../support/events.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { forEachTest } from '../../support/for-each-test.ts';
import { TYPES_WITH_OLDER_VERSION } from '../../support/older-version.ts';
import { openParts } from '../../support/parts.ts';
import { putDocument, storedIn } from '../../support/documents.ts';

const { signal } = new AbortController();
const LATELY = 600_000;

type Chosen = Parameters<typeof settleParked>[2]['of'];

const stage = forEachTest(openParkedInTwoBuilds);

function redrive(of: Chosen = { filter: {} }, parts = stage.parts) {
  return settleParked(parts, signal, { action: 'redrive', of });
}

/** In both builds, and nowhere parked any more. */
async function expectRedriven(): Promise<void> {
  expect([await stage.titleIn(stage.live), await stage.titleIn(stage.other)]).toEqual(['Rev 2', 'Rev 2']);
  expect(await stage.parked()).toEqual([]);
}

type WayIn = readonly [string, () => Promise<unknown>];
const WAYS_IN: readonly WayIn[] = [
  ['by its name in the live build', () => redrive({ ids: [`${stage.live}/${stage.place}`] })],
  ['by its name in another build', () => redrive({ ids: [`${stage.other}/${stage.place}`] })],
  ['by a filter that only one build comes under', () => redrive({ filter: { since: Date.now() - LATELY } })],
  ['by all', () => redrive()],
  [
    'by the oldest of a reason, on the operator page',
    () =>
      perform(stage.parts, signal, { kind: 'redrive_all', subject: 'catalog.entries unknown_version' }, 1),
  ],
  [
    'by its name, on the operator page',
    () => perform(stage.parts, signal, { kind: 'redrive', subject: `${stage.other}/${stage.place}` }, 1),
  ],
];

test.each(WAYS_IN)(
  'an event is redriven in every build of its read model, chosen %s',
  async (_how, chosen) => {
    await stage.parts.documents.declare(ACTS);
    await chosen();
    await expectRedriven();
  },
);

test('each name is told of once, also where both were chosen', async () => {
  const { live, other, place } = stage;
  const settled = await redrive();
  expect(settled).toMatchObject({ chosen: 2, counts: { redriven: 2, gone: 0 } });
  expect(settled.results.map(({ id }) => id).toSorted()).toEqual(
    [`${live}/${place}`, `${other}/${place}`].toSorted(),
  );
});

test('a build that has not parked it gets it as well: its lane may be of a release that parks it later', async () => {
  const { parts, live, other, place } = stage;
  const versions = await parts.documents.versions(PARKED.name, [`${other}/${place}`]);
  await parts.documents.remove(
    PARKED.name,
    [...versions].map(([id, read]) => ({ id, read })),
  );
  await redrive({ ids: [`${live}/${place}`] });
  await expectRedriven();
});

test.each(['the same selection', 'the name in the other build'])(
  'a command that is killed between two builds is finished by the next one, by %s',
  async (by) => {
    const { parts, live, other, place } = stage;
    const documents = overriding(parts.documents, {
      write: async (collection, ...others) => {
        if (collection === live) throw new StoppedError('killed');
        return parts.documents.write(collection, ...others);
      },
    });
    const of = { filter: { since: Date.now() - LATELY } };
    await expect(redrive(of, { ...parts, documents })).rejects.toThrow('killed');
    expect(await stage.titleIn(live)).toBe(null);
    const next = by === 'the same selection' ? of : { ids: [`${other}/${place}`] };
    await redrive(next);
    await expectRedriven();
  },
);

test('a build that was verified before is to be verified again, and a comparison under way says nothing', async () => {
  const { other } = stage;
  const { documents } = stage.parts;
  expect(await (await beginVerification(documents, other))('d')).toBe(true);
  const note = await beginVerification(documents, other);
  await redrive();
  expect((await readBuild(documents, other))?.verified).toBe(undefined);
  expect(await note('d')).toBe(false);
});

test('nothing is written while a pause stands, and one that has run out is ended', async () => {
  const { parts, live } = stage;
  const { documents, clock } = parts;
  const seen: (string | null)[] = [];
  const until = (await documents.now()) + 30_000;
  const pause = { token: 'pause', owner: 'switch', until, builds: [live] };
  await changeAlias(documents, 'listings', (alias) => alias && { ...alias, pause });
  const sleep = async (): Promise<void> => {
    seen.push(await stage.titleIn(live));
    await changeAlias(documents, 'listings', (alias) => alias && { ...alias, pause: { ...pause, until: 1 } });
  };
  await redrive({ filter: {} }, { ...parts, clock: { ...clock, sleep } });
  expect(seen).toEqual([null]);
  expect([await stage.titleIn(live), (await readAlias(documents, 'listings'))?.pause]).toEqual([
    'Rev 2',
    null,
  ]);
});

test('what was begun to be redriven is not discarded: its effect may be in a build', async () => {
  const { parts, live, place } = stage;
  const { documents } = parts;
  const id = `${live}/${place}`;
  const stored = (await documents.get<ParkedEvent>(PARKED.name, [id])).get(id);
  await putDocument(documents, PARKED.name, id, { ...stored?.body, redriving: true });
  const { counts } = await settleParked(parts, signal, { action: 'discard', of: { ids: [id] } });
  expect(counts).toMatchObject({ still_rejected: 1, discarded: 0 });
});

/**
 * An embedded deployment without projectors, with two builds of the listings. Both have parked an event of version 2, which
 * its release has come to know since: the live one an hour ago, the other one just now.
 */
interface ParkedInTwoBuilds extends AsyncDisposable {
  readonly parts: Parts;
  readonly live: string;
  readonly other: string;
  /** Where the event stands in the log: `catalog.entries/2/0`. */
  readonly place: string;
  /** The title of the entry in a build; null where it is not there. */
  readonly titleIn: (build: string) => Promise<string | null>;
  /** The names under which it is parked still. */
  readonly parked: () => Promise<readonly string[]>;
}

const HOUR_MS = 3_600_000;

async function openParkedInTwoBuilds(): Promise<ParkedInTwoBuilds> {
  const composed = await openParts({ CATALOG_DATA: temporaryFolder(), CATALOG_SAMPLE: 'off' });
  const parts: Parts = { ...composed, decode: createDecoder(TYPES_WITH_OLDER_VERSION, { topicPrefix: '' }) };
  const { documents, log } = parts;
  await ensureTopics(parts);
  for (const projection of parts.projections) await claimBuild(parts, projection, foldsOf(parts));
  const listings = parts.projections.find(({ name }) => name === 'listings');
  if (!listings) throw new Error('there are no listings');
  const begun = await beginBuildOf(documents, listings, await foldIdentity(listings, parts));
  if (!('build' in begun)) throw new Error(begun.refused);
  const [live, other] = [collectionOf(listings), begun.build];
  for (const spec of [PARKED, CHECKPOINTS, BUILDS]) await documents.declare(spec);
  for (const build of [live, other]) {
    await documents.declare({ ...collectionSpec(listings), name: build });
    await beginBuild(documents, build, {});
  }
  const [found] = await log.append([EVENT]);
  const place = found ?? { topic: EVENT.topic, partition: 0, position: 0 };
  const record = { ...EVENT, ...place, timestamp: Date.now() };
  for (const [build, parkedAt] of [
    [live, Date.now() - HOUR_MS],
    [other, Date.now()],
  ] as const) {
    const lane = { readModel: build, topic: place.topic, partition: place.partition, incarnation: 0 };
    await park({ documents, log }, { lane, now: parkedAt, announceOn: null }, [
      { record, rejection: REJECTION },
    ]);
  }
  return {
    parts,
    live,
    other,
    place: `${place.topic}/${place.partition}/${place.position}`,
    titleIn: async (build) => {
      const stored = (await documents.get<ReadModelDocument>(build, ['e'])).get('e');
      return (
        (stored?.body.view as { readonly title?: { readonly en: string } } | undefined)?.title?.en ?? null
      );
    },
    parked: async () => (await storedIn(documents, PARKED.name)).map(({ id }) => id),
    [Symbol.asyncDispose]: () => composed[Symbol.asyncDispose](),
  };
}

const TOLD = published({ subject: 'e', revision: 2, title: { en: 'Rev 2' } });
const NAMED = { id: 'e-2', source: '/test', type: 'catalog.entry.published.v2', subject: 'e' };
const REJECTION = { code: 'unknown_version', reason: 'not known yet', ...NAMED } as const;
const EVENT = structuredRecord({ ...TOLD, ...NAMED });
