import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

import { createDecoder, type Decode } from '../../src/events/decode.ts';
import type { CloudEvent } from '../../src/events/envelope.ts';
import type { EventType } from '../../src/events/event.ts';
import type { CatalogEvent } from '../../src/events/event.ts';
import { EVENT_TYPES } from '../../src/events/types.ts';
import type { JsonObject } from '../../src/platform/json.ts';
import { arbitraryHistory } from '../support/arbitrary-events.ts';
import { recordOf } from '../support/events.ts';
import { documents, LAW_CASES } from '../support/laws.ts';
import { SUBJECTS } from './subjects.ts';

/**
 * Every type as it would be one version on: today's data is version 2, and version 1, which never was, had it all in
 * an envelope of its own.
 */
const ONE_VERSION_ON = EVENT_TYPES.map(oneVersionOn);

const decode = createDecoder(ONE_VERSION_ON);

const inVersion1 = (event: CloudEvent): CloudEvent => ({ ...event, data: { wrapped: event.data } });
const inVersion2 = (event: CloudEvent): CloudEvent => ({
  ...event,
  type: event.type.replace(/\.v1$/, '.v2'),
});

describe.each(SUBJECTS)('$projection.name', ({ projection }) => {
  test('folding events of an older version and folding their upcast copies give the same bytes', () => {
    fc.assert(
      fc.property(arbitraryHistory(projection.topics), fc.func(fc.boolean()), (history, isOld) => {
        const upcast = eventsOf(decode, history.map(inVersion2));
        const expected = documents(projection, [upcast]);
        expect(documents(projection, [eventsOf(decode, history.map(inVersion1))])).toEqual(expected);
        const mixed = history.map((event, index) => (isOld(index) ? inVersion1(event) : inVersion2(event)));
        expect(documents(projection, [eventsOf(decode, mixed)])).toEqual(expected);
      }),
      { numRuns: LAW_CASES },
    );
  });
});

function oneVersionOn(type: EventType): EventType {
  return {
    ...type,
    versions: [z.object({ wrapped: z.record(z.string(), z.unknown()) }), ...type.versions.slice(-1)],
    upcasters: [({ wrapped, ...others }) => ({ ...others, ...(wrapped as JsonObject) })],
  };
}

function eventsOf(decodeRecord: Decode, history: readonly CloudEvent[]): readonly CatalogEvent[] {
  return history.map((event) => {
    const decoded = decodeRecord(recordOf(event));
    if (decoded.outcome !== 'event') throw new Error(JSON.stringify(decoded));
    return decoded.event;
  });
}
