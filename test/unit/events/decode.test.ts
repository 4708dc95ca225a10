import { describe, expect, test } from 'vitest';

import { createDecoder, type DecodeResult } from '../../../src/events/decode.ts';
import { EVENT_TYPES } from '../../../src/events/event-types.ts';
import type { LogRecord } from '../../../src/events/log/port.ts';
import { canonical, digestHex } from '../../../src/platform/canonical.ts';
import { decoded, measured, published, recordOf, unpublished } from '../../support/events.ts';
import { binaryRecordOf, recordOfBytes, rejectionOf } from '../../support/records.ts';

const decode = createDecoder(EVENT_TYPES);

function eventOf(record: LogRecord): Extract<DecodeResult, { outcome: 'event' }> {
  const result = decode(record);
  if (result.outcome !== 'event') throw new Error(JSON.stringify(result));
  return result;
}

describe('a valid record', () => {
  test('becomes an event whose type has no version and whose time is in UTC', () => {
    const { event } = eventOf(recordOf(unpublished({ time: '2026-11-20T13:00:00+03:00', revision: 7 })));
    expect(event).toMatchObject({
      type: 'catalog.entry.unpublished',
      source: '/catalog/editor',
      subject: 'ai-news',
      time: '2026-11-20T10:00:00.000Z',
      data: { revision: 7, reason: null },
    });
  });

  test('gives the same event in the structured and in the binary mode', () => {
    expect(decode(binaryRecordOf(published()))).toEqual(decode(recordOf(published())));
  });

  test('is read whatever the case of its header names, and whatever parameters its content type has', () => {
    const headers = { 'Content-Type': 'Application/CloudEvents+JSON; charset=UTF-8' };
    expect(decode(recordOf(published(), { headers })).outcome).toBe('event');
    const binary = binaryRecordOf(published());
    const shouted = Object.entries(binary.headers).map(
      ([name, value]) => [name.toUpperCase(), value] as const,
    );
    expect(decode({ ...binary, headers: Object.fromEntries(shouted) }).outcome).toBe('event');
  });

  test('needs no headers if its value is a whole CloudEvent', () => {
    expect(decode(recordOf(published(), { headers: {} })).outcome).toBe('event');
  });

  test('needs no key', () => {
    expect(decode(recordOf(published(), { key: null })).outcome).toBe('event');
  });

  test('may carry extension attributes, which are not counted as unknown fields', () => {
    const value = Buffer.from(JSON.stringify({ ...published(), traceparent: '00-a-b-01' }));
    expect(eventOf(recordOf(published(), { value })).unknownFields).toBe(0);
  });

  test('is found under the configured prefix of its topic, and nowhere else', () => {
    const prefixed = createDecoder(EVENT_TYPES, { topicPrefix: 'staging.' });
    expect(prefixed(recordOf(published(), { topic: 'staging.catalog.entries' })).outcome).toBe('event');
    expect(prefixed(recordOf(published())).outcome).toBe('rejected');
  });
});

describe('the digest', () => {
  test('is the SHA-256 of the RFC 8785 text of data and time as received, in 64 lowercase hexadecimal digits', () => {
    const event = published({ time: '2026-11-20T13:00:00+03:00' });
    expect(decoded(event).digest).toBe(digestHex({ data: event.data, time: event.time }));
    expect(decoded(event).digest).toMatch(/^[0-9a-f]{64}$/);
    expect(canonical({ b: 1, a: -0 })).toBe('{"a":0,"b":1}');
  });

  test('does not depend on the order of keys, on white space, or on the envelope but for its time', () => {
    const event = published();
    const { time, data, ...rest } = event;
    const reversed = Object.fromEntries(Object.entries(data).toReversed());
    const value = Buffer.from(JSON.stringify({ data: reversed, time, ...rest, id: 'another' }, null, 2));
    expect(eventOf(recordOf(event, { value })).event.digest).toBe(decoded(event).digest);
  });

  test('knows of unknown fields, of null optionals and of the spelling of the time', () => {
    const digests = [
      published(),
      published({ x_new: 1 }),
      published({ summary: null }),
      published({ time: '2026-11-20T10:00:00.0Z' }),
    ].map((event) => decoded(event).digest);
    expect(new Set(digests).size).toBe(4);
  });
});

describe('unknown fields', () => {
  test('are dropped and counted wherever they stand', () => {
    const event = published({
      x_new: { nested: { deeper: 1 } },
      title: { en: 'A', de: 'B' },
      links: [{ rel: 'site', url: 'https://example.org', x: 1 }],
    });
    const { event: known, unknownFields } = eventOf(recordOf(event));
    expect(unknownFields).toBe(3);
    expect(known.data).toMatchObject({
      title: { en: 'A', ru: null },
      links: [{ rel: 'site', url: 'https://example.org' }],
    });
    expect(JSON.stringify(known.data)).not.toMatch(/x_new|deeper|"de"|"x"/);
  });

  test('are counted in a rating', () => {
    const event = measured({ kind: 'bot', rating: { value: 4.5, count: 10, stars: 5 } });
    expect(eventOf(recordOf(event)).unknownFields).toBe(1);
  });
});

describe('skipped records', () => {
  test('a record without a value is a tombstone', () => {
    expect(decode(recordOf(published(), { value: null }))).toEqual({
      outcome: 'skipped',
      reason: 'tombstone',
      type: null,
    });
  });

  test.each(['catalog.entry.renamed.v1', 'org.example.other', 'constructor', '__proto__.v1'])(
    'a type that nobody knows is skipped: %s',
    (type) => {
      const value = Buffer.from(JSON.stringify({ ...published(), type }));
      expect(decode(recordOf(published(), { value }))).toEqual({
        outcome: 'skipped',
        reason: 'unknown_type',
        type,
      });
    },
  );
});

describe('rejected records', () => {
  test.each(['.v2', '.v0', '.v01', '.v99999999999999999999', ''])(
    'an unknown version, or none, is refused, never guessed: %j',
    (version) => {
      const type = `catalog.entry.published${version}`;
      const value = Buffer.from(JSON.stringify({ ...published(), type }));
      expect(rejectionOf(recordOf(published(), { value }))).toMatchObject({
        code: 'unknown_version',
        reason: `type: expected catalog.entry.published.v1, got "${type}"`,
        type,
      });
    },
  );

  test('a key that is not the subject is refused', () => {
    expect(rejectionOf(recordOf(published(), { key: 'ai-news-2' }))).toMatchObject({
      code: 'key_mismatch',
      reason: 'key: expected the subject "ai-news", or none, got "ai-news-2"',
    });
    expect(rejectionOf(recordOf(published(), { key: '' })).code).toBe('key_mismatch');
  });

  test('a type on the topic of another is refused', () => {
    expect(rejectionOf(recordOf(published(), { topic: 'catalog.metrics' }))).toMatchObject({
      code: 'wrong_topic',
      reason: 'topic: expected catalog.entries for catalog.entry.published, got "catalog.metrics"',
    });
  });

  test('a rejection says which event it was, as far as that could be read', () => {
    const event = published({ revision: 'x' });
    expect(rejectionOf(recordOf(event))).toEqual({
      code: 'bad_data',
      reason: 'data.revision: expected an integer from 1 to 9007199254740991, got "x"',
      id: event.id,
      source: '/catalog/editor',
      type: 'catalog.entry.published.v1',
      subject: 'ai-news',
    });
    expect(rejectionOf(recordOf(event, { value: Buffer.from('{') }))).toMatchObject({
      code: 'not_json',
      id: null,
      source: null,
      type: null,
      subject: 'ai-news',
    });
  });

  test('a reason names all mistakes of the data', () => {
    const { reason } = rejectionOf(recordOf(published({ revision: 0, kind: 'group', tags: 'ml' })));
    expect(reason.split('; ')).toEqual([
      'data.revision: expected an integer from 1 to 9007199254740991, got 0',
      'data.kind: expected one of channel, bot, miniapp, got "group"',
      'data.tags: expected a list, got "ml"',
    ]);
  });

  test('a reason names mistakes of the envelope, the place and the data at once, by the code of the first', () => {
    const event = published({ subject: 'AI News', revision: 0 });
    const rejection = rejectionOf(recordOf({ ...event, id: '' }, { topic: 'catalog.metrics', key: 'b' }));
    expect(rejection.code).toBe('bad_envelope');
    expect(rejection.reason).toMatch(/^id: expected .*; data\.revision: expected /);
    const placed = rejectionOf(recordOf(event, { topic: 'catalog.metrics', key: 'b' }));
    expect(placed.code).toBe('key_mismatch');
    expect(placed.reason).toMatch(/^key: .*; topic: .*; subject: .*; data\.revision: /);
  });

  test('a reason names 20 mistakes, and counts those beyond', () => {
    const { reason } = rejectionOf(
      recordOf(published({ revision: 0, tags: Array(20).fill(''), flags: [''] })),
    );
    const told = reason.split('; ');
    expect(told).toHaveLength(21);
    expect(told.at(-1)).toBe('and 2 more');
  });

  test('a value in the frame of a schema registry is told as such', () => {
    const json = Buffer.from(JSON.stringify(published()));
    for (const value of [json, Buffer.from([0x02, 0xff, 0x41])]) {
      const framed = Buffer.concat([Buffer.from([0, 0, 0, 1, 4]), value]);
      expect(rejectionOf(recordOfBytes(framed))).toMatchObject({
        code: 'framed',
        reason: expect.stringMatching(/the frame of a schema registry .* the id of a schema, 260\)/),
      });
    }
    expect(rejectionOf(recordOfBytes(Buffer.from([0, 0x7b]))).code).toBe('not_json');
  });
});

describe('the time rule', () => {
  const time = '2026-11-20T10:00:00Z';

  test('what was measured up to a day after the event and its arrival is accepted', () => {
    const event = measured({ time, measured_at: '2026-11-21T10:00:00Z' });
    expect(decode(recordOf(event)).outcome).toBe('event');
  });

  test('what was measured more than a day after the event is refused', () => {
    const event = measured({ time, measured_at: '2026-11-21T10:00:00.001Z' });
    expect(rejectionOf(recordOf(event, { timestamp: Date.parse('2030-01-01T00:00:00Z') }))).toMatchObject({
      code: 'from_the_future',
      reason:
        'data.measured_at: expected at most a day after the event\'s own time 2026-11-20T10:00:00.000Z, got "2026-11-21T10:00:00.001Z"',
    });
  });

  test('what was measured more than a day after the record arrived is refused, whatever the event says', () => {
    const event = measured({ time: '2099-01-01T00:00:00Z', measured_at: '2099-01-01T00:00:00Z' });
    expect(rejectionOf(recordOf(event, { timestamp: Date.parse(time) })).code).toBe('from_the_future');
  });
});
