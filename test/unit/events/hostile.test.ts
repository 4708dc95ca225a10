import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { createDecoder } from '../../../src/events/decode.ts';
import { EVENT_TYPES } from '../../../src/events/event-types.ts';
import type { Json } from '../../../src/platform/json-value.ts';
import { arbitraryEvent } from '../../support/arbitrary-events.ts';
import { decoded, published, recordOf } from '../../support/events.ts';
import { binaryRecordOf, recordOfBytes, rejectionOf } from '../../support/records.ts';

/** Input that was made to do harm: stored inert, or refused with a reason, and never a crash or a stall. */

const decode = createDecoder(EVENT_TYPES);
const RECORD_BYTES = 256 * 1024;

function nested(levels: number): Json {
  let value: Json = {};
  for (let level = 1; level < levels; level += 1) value = { a: value };
  return value;
}

describe('size', () => {
  test('a record of 256 KiB is read, and one of a byte more is refused', () => {
    const event = published({ x_padding: '' });
    const { key, headers } = recordOf(event);
    const around = Buffer.byteLength([key, ...Object.entries(headers).flat()].join(''));
    const padding = RECORD_BYTES - around - Buffer.byteLength(JSON.stringify(event));
    const padded = (characters: number) => ({
      ...event,
      data: { ...event.data, x_padding: 'x'.repeat(characters) },
    });
    expect(decode(recordOf(padded(padding))).outcome).toBe('event');
    expect(rejectionOf(recordOf(padded(padding + 1)))).toMatchObject({
      code: 'too_large',
      reason: 'record: expected at most 262144 bytes of key, headers and value, got 262145',
      subject: 'ai-news',
    });
  });

  test('a record of 5 MB is refused unread, and so is one whose headers or key are that large', () => {
    const large = 'x'.repeat(5_000_000);
    expect(rejectionOf(recordOfBytes(large)).code).toBe('too_large');
    expect(rejectionOf(recordOf(published(), { headers: { large } })).code).toBe('too_large');
    const rejection = rejectionOf(recordOf(published(), { key: large }));
    expect(rejection.code).toBe('too_large');
    expect(rejection.subject).toHaveLength(128);
  });
});

describe('depth', () => {
  test.each([
    ['structured', recordOf],
    ['binary', binaryRecordOf],
  ] as const)('data may have 7 levels, and not 8, in the %s mode', (_, inMode) => {
    expect(decode(inMode(published({ x_deep: nested(6) }))).outcome).toBe('event');
    expect(rejectionOf(inMode(published({ x_deep: nested(7) }))).code).toBe('too_deep');
  });

  test.each(['[', '{"a":'])('40,000 levels of %s are refused without exhausting the stack', (open) => {
    const close = open === '[' ? ']' : '}';
    const deep = `${open.repeat(40_000)}1${close.repeat(40_000)}`;
    expect(['too_deep', 'bad_envelope']).toContain(rejectionOf(recordOfBytes(deep)).code);
    expect(rejectionOf(recordOfBytes('['.repeat(100_000))).code).toBe('not_json');
    expect(rejectionOf({ ...binaryRecordOf(published()), value: Buffer.from(deep) }).code).toBe('too_deep');
  });
});

describe('prototypes', () => {
  test('keys such as __proto__ are fields like any other: unknown, dropped and counted', () => {
    const event = published();
    const poison =
      '"__proto__":{"polluted":1,"verified":true,"other":{}},"constructor":{"prototype":{"polluted":1}}';
    const value = JSON.stringify(event)
      .replace('"data":{', `"data":{${poison},`)
      .replace('"title":{', `"title":{${poison},`)
      .replace('{"specversion"', `{${poison},"specversion"`);
    const result = decode(recordOf(event, { value: Buffer.from(value) }));
    expect(result).toMatchObject({
      outcome: 'event',
      unknownFields: 4,
      event: { data: decoded(event).data },
    });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(JSON.stringify(result)).not.toContain('polluted');
  });

  test('a required field is not found where every object inherits it', () => {
    const value = JSON.stringify(published())
      .replace('"data":{', '"data":{"__proto__":{"revision":9},')
      .replace('"revision":1,', '');
    expect(rejectionOf(recordOf(published(), { value: Buffer.from(value) })).reason).toMatch(
      /^data\.revision: .* got nothing/,
    );
  });
});

describe('text that is made to mislead', () => {
  test.each(['<script>alert(1)</script>', '\u202Egnp.exe', '{{7*7}}', "'; DROP TABLE x; --", 'a\u200B'])(
    'is stored as it is: %j',
    (text) => expect(decoded(published({ title: { en: text } })).data).toMatchObject({ title: { en: text } }),
  );

  test('is escaped in a reason, which stays one line', () => {
    const { reason } = rejectionOf(recordOf(published({ kind: '\u001b[31m\r\n\u202E\u2028' })));
    expect(reason).toMatch(/^data\.kind: expected one of channel, bot, miniapp, got "/);
    expect(reason).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  });

  test('is cut where escaping makes a reason longer than 500 characters', () => {
    const { reason } = rejectionOf(recordOf(published({ kind: '\u202E'.repeat(100) })));
    expect(reason).toHaveLength(500);
    expect(reason).toMatch(/\.\.\.$/);
  });

  test('is escaped in what a rejection says of the event', () => {
    const event = { ...published(), id: '\u001b[31m', type: 'x\ny', source: '\u202E'.repeat(3000) };
    const { id, type, source } = rejectionOf(
      recordOf(published(), { value: Buffer.from(JSON.stringify(event)) }),
    );
    expect([id, type]).toEqual(['\\u001b[31m', 'x\\u000ay']);
    expect(source?.length).toBeLessThanOrEqual(2048);
    expect(source).not.toMatch(/\p{Cf}/u);
  });
});

test.each(['1e400', '"\\ud800"', '{"\\udc00":1}'])(
  'numbers and text that JSON cannot exchange are refused in a field that no schema knows: %s',
  (text) => {
    const value = JSON.stringify(published()).replace('"data":{', `"data":{"x_new":${text},`);
    const { code, reason } = rejectionOf(recordOf(published(), { value: Buffer.from(value) }));
    expect(code).toBe('bad_data');
    expect(reason).toMatch(/^data: expected I-JSON/);
  },
);

describe('any bytes', () => {
  function holds(record: Parameters<typeof decode>[0]): void {
    const result = decode(record);
    if (result.outcome !== 'rejected') return;
    const { reason, ...identity } = result.rejection;
    expect(reason.length).toBeLessThanOrEqual(5000);
    for (const text of [reason, ...Object.values(identity)])
      expect(text ?? '').not.toMatch(/[\p{Cc}\p{Cs}]/u);
  }

  test('never make decoding throw', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => holds(recordOfBytes(bytes))));
  });

  test('of any JSON never make decoding throw', () => {
    fc.assert(fc.property(fc.json(), (text) => holds(recordOfBytes(text))));
  });

  test('of an event with a part replaced by anything never make decoding throw', () => {
    const topics = ['catalog.entries', 'catalog.metrics', 'monitor.probes'];
    fc.assert(
      fc.property(
        arbitraryEvent(topics),
        fc.nat(),
        fc.jsonValue(),
        fc.boolean(),
        (event, at, value, inData) => {
          const part: Readonly<Record<string, Json>> = inData ? event.data : { ...event };
          const name = Object.keys(part)[at % Object.keys(part).length] as string;
          const changed = inData
            ? { ...event, data: { ...event.data, [name]: value } }
            : { ...event, [name]: value };
          holds(recordOf(event, { value: Buffer.from(JSON.stringify(changed)) }));
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('of an event with a bit flipped or cut off never make decoding throw', () => {
    fc.assert(
      fc.property(arbitraryEvent(['catalog.entries']), fc.nat(), fc.nat({ max: 7 }), (event, at, bit) => {
        const bytes = Buffer.from(JSON.stringify(event));
        const position = at % bytes.length;
        holds(recordOf(event, { value: bytes.subarray(0, position) }));
        bytes[position] = (bytes[position] ?? 0) ^ (1 << bit);
        holds(recordOf(event, { value: bytes }));
      }),
      { numRuns: 2000 },
    );
  });
});
