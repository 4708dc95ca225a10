import { onTestFinished } from 'vitest';

import { claimBuild, beginBuildOf } from '../../src/projecting/builds/claim.ts';
import { foldsOf } from '../../src/projecting/builds/standing-builds.ts';
import { foldIdentity } from '../../src/projecting/builds/fold-identity.ts';
import type { Parts } from '../../src/compose/parts.ts';
import { ensureTopics } from '../../src/compose/projector.ts';
import { createDecoder } from '../../src/events/decode.ts';
import { structuredRecord } from '../../src/events/types.ts';
import { CHECKPOINTS } from '../../src/projecting/engine/lane.ts';
import { PARKED, park } from '../../src/projecting/engine/parking.ts';
import {
  collectionOf,
  collectionSpec,
  type ReadModelDocument,
} from '../../src/projecting/engine/projection.ts';
import { BUILDS, beginBuild } from '../../src/stores/builds.ts';
import { published } from './events.ts';
import { temporaryFolder } from './folder.ts';
import { TYPES_WITH_OLDER_VERSION } from './older-version.ts';
import { openParts } from './parts.ts';

/**
 * An embedded deployment without projectors, with two builds of the listings. Both have parked an event of version 2, which
 * its release has come to know since: the live one an hour ago, the other one just now.
 */
export interface ParkedInTwoBuilds {
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

export async function openParkedInTwoBuilds(): Promise<ParkedInTwoBuilds> {
  const composed = await openParts({ CATALOG_DATA: temporaryFolder(), CATALOG_SAMPLE: 'off' });
  onTestFinished(() => composed[Symbol.asyncDispose]());
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
    parked: async () => (await Array.fromAsync(documents.scan(PARKED.name))).flat().map(({ id }) => id),
  };
}

const TOLD = published({ subject: 'e', revision: 2, title: { en: 'Rev 2' } });
const NAMED = { id: 'e-2', source: '/test', type: 'catalog.entry.published.v2', subject: 'e' };
const REJECTION = { code: 'unknown_version', reason: 'not known yet', ...NAMED } as const;
const EVENT = structuredRecord({ ...TOLD, ...NAMED });
