import { expect, test } from 'vitest';

import { EARLIER } from '../../earlier/index.ts';
import { PROJECTIONS } from '../../projections/index.ts';
import { FOLD_DIGESTS } from '../../projections/recorded/fold-digests.ts';
import type * as Identity from '../../src/projecting/builds/fold-identity.ts';
import { foldDigest } from '../../src/projecting/builds/fold-identity.ts';
import { createDecoder } from '../../src/events/decode.ts';
import { EVENT_TYPES } from '../../src/events/event-types.ts';
import { collectionOf, type Projection } from '../../src/projecting/engine/projection.ts';
import { changedCopy } from '../support/changed-copy.ts';
import { published } from '../support/events.ts';

/** What each fold makes of the events that are recorded in projections/recorded/, by the engine of this release. */

const today = { decode: createDecoder(EVENT_TYPES), topicName: (topic: string) => topic };
const kept = EARLIER.map(({ projection, createDecode }) => ({
  ...projection,
  decode: createDecode({ topicPrefix: '' }),
}));
const named = (all: readonly Projection[]) => all.map((one) => [collectionOf(one), one] as const);
const isListed = ([collection]: readonly [string, Projection]): boolean =>
  Object.hasOwn(FOLD_DIGESTS, collection);

test('folds are listed of read models that there are, none of a version to come', () => {
  const versions = new Map(PROJECTIONS.map(({ name, version }) => [name, version]));
  const listed = Object.keys(FOLD_DIGESTS).map((collection) => collection.split('@'));
  expect(listed.filter(([name = '', version]) => !(Number(version) <= (versions.get(name) ?? 0)))).toEqual(
    [],
  );
});

// A new read model, or a new version of one, is in nobody's documents yet: it may change until it is listed.
test.each(named(PROJECTIONS).filter(isListed))(
  '%s makes what it has always made: where it does not, it is another version',
  async (collection, projection) => {
    expect(await foldDigest(projection, today)).toBe(FOLD_DIGESTS[collection]);
  },
);

test.each(named(kept))(
  '%s is kept, and makes what it made when its release had it',
  async (collection, projection) => {
    const made = await foldDigest(projection, today);
    const hint = isListed([collection, projection])
      ? 'bring its file, or the engine, back as it was'
      : `add "'${collection}': '${made}'," to projections/recorded/fold-digests.ts`;
    expect(made, hint).toBe(FOLD_DIGESTS[collection]);
  },
);

test('what a version brought along counts from that version on, and for its read model alone', async () => {
  const text = JSON.stringify(published({ subject: 'brought-along' }));
  const copy = changedCopy([{ file: 'projections/recorded/listings@7.ndjson', text: `${text}\n` }]);
  const { recordedEvents } = await copy.load<typeof Identity>('src/projecting/builds/fold-identity.ts');
  const counted = async (name: string, version: number, oneIn = 1) =>
    (await recordedEvents({ name, version }, oneIn)).length;
  expect(await counted('listings', 6)).toBe(4000);
  expect(await counted('listings', 7)).toBe(4001);
  expect(await counted('listings', 8, 8)).toBe(501);
  expect(await counted('monitor', 8)).toBe(4000);
});
