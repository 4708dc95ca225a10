import { expect, test } from 'vitest';

import { listings } from '../../../../projections/listings/index.ts';
import { createDecoder } from '../../../../src/events/decode.ts';
import type { NewRecord } from '../../../../src/events/log/port.ts';
import { EVENT_TYPES } from '../../../../src/events/event-types.ts';
import { park } from '../../../../src/projecting/engine/parking.ts';
import { collectionOf } from '../../../../src/projecting/engine/projection.ts';
import { faults, messageOf } from '../../../support/asyncapi.ts';
import { published, recordOf } from '../../../support/events.ts';

test.each([
  ['an event that is wrong', JSON.stringify(published({ revision: 0 }))],
  ['bytes that are no event', 'not JSON'],
])('what is announced of %s is as the AsyncAPI document says', async (_what, text) => {
  const record = { ...recordOf(published()), value: Buffer.from(text) };
  const decoded = createDecoder(EVENT_TYPES)(record);
  if (decoded.outcome !== 'rejected') throw new Error('it was accepted');
  const announced: NewRecord[] = [];
  const log = { append: async (records: readonly NewRecord[]) => (announced.push(...records), []) };
  const documents = { versions: async () => new Map(), write: async () => ['done'] };
  const lane = { readModel: collectionOf(listings), topic: record.topic, partition: 0, incarnation: 0 };
  const unfoldable = { record, rejection: decoded.rejection };
  // Parking asks its stores for nothing else.
  await park(
    { documents, log } as unknown as Parameters<typeof park>[0],
    { lane, now: 0, announceOn: 'catalog.rejected' },
    [unfoldable],
  );
  expect(announced).toHaveLength(1);
  const { headers, payload, bindings } = messageOf('catalog.event.rejected.v1');
  for (const { key, headers: sent, value } of announced) {
    expect(faults(headers, sent)).toBeNull();
    expect(faults(bindings.kafka.key, key)).toBeNull();
    expect(faults(payload, JSON.parse(String(value)))).toBeNull();
  }
});
