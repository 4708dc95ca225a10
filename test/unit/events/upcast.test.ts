import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { createDecoder } from '../../../src/events/decode.ts';
import { ENTRIES } from '../../../src/events/entry-events.ts';
import { upcast } from '../../../src/events/validate-event.ts';
import { METRICS } from '../../../src/events/measurement-events.ts';
import { EVENT_TYPES } from '../../../src/events/event-types.ts';
import type { JsonObject } from '../../../src/platform/json-value.ts';
import { arbitraryHistory } from '../../support/arbitrary-events.ts';
import { published, recordOf } from '../../support/events.ts';
import { asVersionOne, asVersionTwo, TYPES_WITH_OLDER_VERSION } from '../../support/older-version.ts';

const decode = createDecoder(TYPES_WITH_OLDER_VERSION);

test('an old log and its upcast copy decode to the same events, digests and unknown fields included', () => {
  fc.assert(
    fc.property(arbitraryHistory([ENTRIES, METRICS]), (events) => {
      for (const event of events) {
        const older = decode(recordOf(asVersionOne(event)));
        expect(older.outcome).toBe('event');
        expect(older).toEqual(decode(recordOf(asVersionTwo(event))));
      }
    }),
  );
});

test('upcasters are applied one after the other, from the version that came', () => {
  const upcasters = [
    (data: JsonObject) => ({ ...data, second: Object.keys(data).length }),
    (data: JsonObject) => ({ ...data, third: Object.keys(data).length }),
  ];
  expect(upcast({ upcasters }, 1, { x: 1 })).toEqual({ x: 1, second: 1, third: 2 });
  expect(upcast({ upcasters }, 2, { x: 1 })).toEqual({ x: 1, third: 1 });
  expect(upcast({ upcasters }, 3, { x: 1 })).toEqual({ x: 1 });
});

test('every type has an upcaster from each version but the last', () => {
  for (const { versions, upcasters } of EVENT_TYPES) expect(upcasters).toHaveLength(versions.length - 1);
});

describe('data of an older version that cannot be used', () => {
  test('is refused in the words of its own version, before any upcaster sees it', () => {
    const older = asVersionOne(published());
    const result = decode(recordOf({ ...older, data: { ...older.data, is_verified: 7 } }));
    expect(result).toMatchObject({
      outcome: 'rejected',
      rejection: { code: 'bad_data', reason: 'data.is_verified: expected a boolean or text, got 7' },
    });
  });

  test('is refused where the newest schema does not accept what the upcaster made of it', () => {
    const older = asVersionOne(published());
    expect(decode(recordOf({ ...older, data: { ...older.data, is_verified: 'yes' } }))).toMatchObject({
      outcome: 'rejected',
      rejection: { code: 'upcast_failed', reason: 'data.verified: expected true or false, got "yes"' },
    });
  });

  test('is refused where an upcaster throws', () => {
    const fail = () => {
      throw new Error('out of\nwords');
    };
    const failing = TYPES_WITH_OLDER_VERSION.map((type) =>
      Object.assign({}, type, { upcasters: type.upcasters.map(() => fail) }),
    );
    expect(createDecoder(failing)(recordOf(asVersionOne(published())))).toMatchObject({
      outcome: 'rejected',
      rejection: { code: 'upcast_failed', reason: 'data: version 1 cannot be upcast: out of\\u000awords' },
    });
  });
});
