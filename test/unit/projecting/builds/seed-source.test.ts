import { expect, test } from 'vitest';

import { listings } from '../../../../projections/listings/index.ts';
import { seedSourceOf } from '../../../../src/projecting/builds/builds-by-fold.ts';
import { createDecoder, type Decode } from '../../../../src/events/decode.ts';
import { EVENT_TYPES } from '../../../../src/events/event-types.ts';
import type { Projection } from '../../../../src/projecting/engine/projection.ts';
import { NOTHING_BESIDE, type Alias } from '../../../../src/stores/aliases.ts';

/** Whether a build may begin with the registers of the live one: where both folds make them alike of the recorded events. */

const decode = createDecoder(EVENT_TYPES);
const parts = { decode, topicName: (topic: string) => topic };
const own: Projection = listings;
const live: Projection = { ...own, version: 1 };
const next: Projection = { ...own, version: 2 };

/** As with a schema that does not know the flag. */
const withoutVerified: Decode = (record) => {
  const decoded = decode(record);
  if (decoded.outcome !== 'event') return decoded;
  const { verified: _unknown, ...data } = decoded.event.data as Record<string, unknown>;
  return { ...decoded, event: { ...decoded.event, data } };
};

const alias: Alias = {
  ...NOTHING_BESIDE,
  version: 1,
  collection: 'listings@1',
  index: null,
  folds: { 1: 'one', 2: 'two' },
  beside: ['listings@1-b2', 'listings@2'],
};

test.each<[string, Projection, readonly Projection[], boolean]>([
  ['another build of its version', { ...live, build: 'b2' }, [live], true],
  ['another version of the same fold', next, [live, next], true],
  ['one with another view', next, [live, { ...next, view: () => ({ value: 1 }) }], true],
  [
    'one that takes events in otherwise',
    next,
    [live, { ...next, contribution: (event) => own.contribution({ ...event, digest: `f${event.digest}` }) }],
    false,
  ],
  [
    'one that joins otherwise',
    next,
    [live, { ...next, registers: { ...own.registers, join: (a, b) => own.registers.join(b, a) && b } }],
    false,
  ],
  ['one with another schema', next, [live, { ...next, decode: withoutVerified }], false],
  ['one that reads another topic too', next, [live, { ...next, topics: ['catalog.entries'] }], false],
  ['one whose live fold this release lacks', next, [next], false],
])('%s', async (_what, target, folds, expected) => {
  expect((await seedSourceOf(parts, alias, target, folds))?.version ?? null).toBe(expected ? 1 : null);
});
