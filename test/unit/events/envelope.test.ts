import { describe, expect, test } from 'vitest';

import { createDecoder } from '../../../src/events/decode.ts';
import { EVENT_TYPES } from '../../../src/events/event-types.ts';
import { published, recordOf } from '../../support/events.ts';
import { binaryRecordOf, recordOfBytes, rejectionOf, withAttributes } from '../../support/records.ts';

const decode = createDecoder(EVENT_TYPES);

describe('attributes', () => {
  test.each(['specversion', 'id', 'source', 'type', 'subject', 'time'])(
    'an envelope without %s is refused',
    (name) => {
      expect(rejectionOf(withAttributes(published(), { [name]: undefined }))).toMatchObject({
        code: 'bad_envelope',
        reason: expect.stringMatching(new RegExp(`^${name}: expected .+, got nothing$`)),
      });
      const binary = binaryRecordOf(published());
      const headers = Object.fromEntries(
        Object.entries(binary.headers).filter(([header]) => header !== `ce_${name}`),
      );
      expect(rejectionOf({ ...binary, headers })).toMatchObject({ code: 'bad_envelope' });
    },
  );

  test.each([
    ['specversion', '0.3'],
    ['specversion', 1],
    ['id', ''],
    ['id', 'a'.repeat(129)],
    ['id', 'a\u0000'],
    ['id', 7],
    ['source', ''],
    ['source', 'not a reference'],
    ['source', '/a%2'],
    ['source', `/${'a'.repeat(2048)}`],
    ['type', ''],
    ['type', null],
    ['subject', ''],
    ['subject', ['ai-news']],
    ['time', '2026-11-20'],
    ['time', 0],
    ['datacontenttype', 'text/plain'],
    ['datacontenttype', 'application/jsonp'],
    ['data_base64', 'e30='],
  ])('an envelope is refused whose %s is %j', (name, value) => {
    const { code, reason } = rejectionOf(withAttributes(published(), { [name]: value }));
    expect(code).toBe('bad_envelope');
    expect(reason).toMatch(new RegExp(`^${name}: expected `));
  });

  test.each([
    ['id', '😀'.repeat(128)],
    ['source', 'https://user@example.org:8080/a%20b?c=d#e'],
    ['source', 'urn:uuid:6e8bc430-9c3a-11d9-9669-0800200c9a66'],
    ['datacontenttype', 'application/json; charset=utf-8'],
    ['datacontenttype', 'application/vnd.catalog+json'],
    ['datacontenttype', null],
  ])('an envelope is accepted whose %s is %j', (name, value) => {
    expect(decode(withAttributes(published(), { [name]: value })).outcome).toBe('event');
  });

  test.each([undefined, null, [], 'text', 7])('an event is refused whose data is %j', (data) => {
    expect(rejectionOf(withAttributes(published(), { data }))).toMatchObject({
      code: 'bad_data',
      reason: expect.stringMatching(/^data: expected an object, got /),
    });
  });
});

describe('content modes', () => {
  test.each([
    'application/cloudevents+avro',
    'application/cloudevents-batch+json',
    'application/cloudevents',
  ])('an event format other than JSON is refused: %s', (contentType) => {
    expect(rejectionOf(recordOf(published(), { headers: { 'content-type': contentType } }))).toMatchObject({
      code: 'bad_envelope',
      reason: `content-type: expected application/cloudevents+json, got "${contentType}"`,
    });
  });

  test('a binary event whose content type is not JSON is refused', () => {
    const binary = binaryRecordOf(published());
    const headers = { ...binary.headers, 'content-type': 'application/avro' };
    expect(rejectionOf({ ...binary, headers }).reason).toBe(
      'content-type: expected application/json, got "application/avro"',
    );
  });

  test('a binary event needs no content type', () => {
    const binary = binaryRecordOf(published());
    const { 'content-type': _, ...headers } = binary.headers;
    expect(decode({ ...binary, headers }).outcome).toBe('event');
  });

  test('the structured content type decides, whatever ce_ headers stand beside it', () => {
    const headers = { 'content-type': 'application/cloudevents+json', ce_specversion: '1.0', ce_id: 'other' };
    const result = decode(recordOf(published(), { headers }));
    expect(result).toMatchObject({ outcome: 'event', event: { id: published().id } });
  });

  test('a binary event cannot smuggle its data in through a header', () => {
    const binary = binaryRecordOf(published());
    const headers = { ...binary.headers, ce_data: 'x', ce___proto__: 'x', ce_constructor: 'x' };
    expect(decode({ ...binary, headers })).toEqual(decode(binary));
  });

  test.each(['[]', '"text"', 'null', '7'])('a value that is no object is refused: %s', (text) => {
    expect(rejectionOf(recordOfBytes(text))).toMatchObject({
      code: 'bad_envelope',
      reason: expect.stringMatching(/^value: expected a CloudEvent, got /),
    });
  });

  test.each(['', ' ', '{', '{"a":1}x', "{'a':1}", '\u0000', 'NaN'])(
    'a value that is not JSON is refused: %j',
    (text) => {
      expect(rejectionOf(recordOfBytes(text))).toMatchObject({ code: 'not_json', id: null, source: null });
    },
  );

  test('a value that is not UTF-8 is refused', () => {
    expect(rejectionOf(recordOfBytes(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])))).toMatchObject({
      code: 'not_json',
      reason: 'value: expected UTF-8, got bytes that are not',
    });
  });
});
