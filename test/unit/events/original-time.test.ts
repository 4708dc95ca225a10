import { expect, test } from 'vitest';

import { RECORD_BYTES, recordSize } from '../../../src/events/parse-cloudevent.ts';
import { createDecoder } from '../../../src/events/decode.ts';
import { asFirstAppended, firstAppendedAt, ORIGINAL_TIME } from '../../../src/events/original-time.ts';
import { EVENT_TYPES } from '../../../src/events/event-types.ts';
import { measured, recordOf } from '../../support/events.ts';

const decode = createDecoder(EVENT_TYPES);
const DAY_MS = 86_400_000;
const OBSERVED = Date.parse('2026-11-20T09:00:00Z');

function arrived(timestamp: number, headers: Record<string, string> = {}) {
  const record = recordOf(measured({ measured_at: '2026-11-20T09:00:00Z', time: '2026-11-20T09:00:00Z' }));
  return { ...record, timestamp, headers: { ...record.headers, ...headers } };
}

test('what was observed is held against the time of the first append, not against that of the restoring', () => {
  const early = OBSERVED - 2 * DAY_MS;
  const restored = arrived(OBSERVED + 9 * DAY_MS, { [ORIGINAL_TIME]: String(early) });
  expect(decode(arrived(early))).toMatchObject({
    outcome: 'rejected',
    rejection: { code: 'from_the_future' },
  });
  expect(decode(restored)).toEqual(decode(arrived(early)));
});

test('a header that tells a later time than the log changes nothing', () => {
  const early = OBSERVED - 2 * DAY_MS;
  const forged = arrived(early, { [ORIGINAL_TIME]: String(OBSERVED) });
  expect(decode(forged)).toEqual(decode(arrived(early)));
  expect(firstAppendedAt(forged)).toBe(early);
});

test.each(['', 'yesterday', '-1', '1e3', '9'.repeat(16), ' 1'])(
  'a header that tells no time (%j) says nothing',
  (text) => {
    const record = arrived(OBSERVED, { [ORIGINAL_TIME]: text });
    expect(asFirstAppended(record)).toBe(record);
  },
);

test('the header makes no record too large that was accepted without it', () => {
  const record = arrived(OBSERVED);
  const value = Buffer.from(record.value ?? '');
  const padded = {
    ...record,
    value: Buffer.concat([value, Buffer.alloc(RECORD_BYTES - recordSize({ ...record, value }), ' ')]),
  };
  expect(decode(padded)).toMatchObject({ outcome: 'event' });
  const restored = { ...padded, headers: { ...padded.headers, [ORIGINAL_TIME]: String(OBSERVED) } };
  expect(decode(restored)).toEqual(decode(padded));
});
