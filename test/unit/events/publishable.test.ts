import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { createDecoder } from '../../../src/events/decode.ts';
import type { CloudEvent } from '../../../src/events/envelope.ts';
import { ORIGINAL_TIME } from '../../../src/events/original-time.ts';
import { unknownPaths } from '../../../src/events/validate-event.ts';
import { publishable } from '../../../src/events/publishable.ts';
import { structuredRecord, TOPICS, EVENT_TYPES, topicOf } from '../../../src/events/event-types.ts';
import { arbitraryEvent } from '../../support/arbitrary-events.ts';
import { decoded, measured, probed, published } from '../../support/events.ts';

const NOW = Date.parse('2026-12-01T00:00:00Z');

function reasonFor(line: string | Uint8Array): string {
  const result = publishable(typeof line === 'string' ? Buffer.from(line) : line, NOW);
  if (result.outcome === 'valid') throw new Error('expected a rejection');
  return `${result.rejection.code}: ${result.rejection.reason}`;
}

describe('a line to publish', () => {
  test('becomes a record on the topic of its type, under its subject, with its bytes as they came', () => {
    const line = JSON.stringify({ ...published({ x_new: 1 }), traceparent: 'a' }, null, 1).replaceAll(
      '\n',
      '',
    );
    expect(publishable(Buffer.from(line), NOW)).toEqual({
      outcome: 'valid',
      type: 'catalog.entry.published.v1',
      revision: 1,
      unknownPaths: ['data.x_new'],
      record: {
        topic: 'catalog.entries',
        key: 'ai-news',
        headers: { 'content-type': 'application/cloudevents+json' },
        value: Buffer.from(line),
      },
    });
  });

  test('of a simulated history says that it was first appended when it happened, and no other line does', () => {
    const headersOf = (source: string) => {
      const line = JSON.stringify({ ...published({ time: '2026-01-02T03:04:05Z' }), source });
      const result = publishable(Buffer.from(line), NOW);
      if (result.outcome !== 'valid') throw new Error(result.rejection.reason);
      return result.record.headers;
    };
    expect(headersOf('/simulated/a1')[ORIGINAL_TIME]).toBe(String(Date.parse('2026-01-02T03:04:05Z')));
    for (const source of ['/me', '/not/simulated/a1', '/simulated', '/sample/catalog'])
      expect(headersOf(source)).toEqual({ 'content-type': 'application/cloudevents+json' });
  });

  test('is decoded at the other end as the event that it is', () => {
    const topics = TOPICS.map(({ name }) => name).filter((name) => name !== 'catalog.rejected');
    fc.assert(
      fc.property(arbitraryEvent(topics), (event) => {
        const result = publishable(Buffer.from(JSON.stringify(event)), NOW);
        if (result.outcome === 'invalid') throw new Error(result.rejection.reason);
        const record = { ...result.record, partition: 0, position: 0, timestamp: NOW };
        expect(createDecoder(EVENT_TYPES)(record)).toMatchObject({ outcome: 'event', event: decoded(event) });
        expect(structuredRecord(event)).toEqual(result.record);
      }),
    );
  });

  test('is refused by the rules of decoding', () => {
    const ahead = { ...probed({ time: '2026-01-01T00:00:00Z', round: 29453764 }), source: '/simulated/a1' };
    for (const time of [ahead.time, '2025-12-31T23:59:60Z'])
      expect(reasonFor(JSON.stringify({ ...ahead, time }))).toMatch(/^from_the_future: data.checked_at/);
    expect(reasonFor('{')).toMatch(/^not_json: value: expected JSON: /);
    expect(reasonFor(Uint8Array.of(0x22, 0xff, 0x22))).toBe(
      'not_json: value: expected UTF-8, got bytes that are not',
    );
    expect(reasonFor('[1]')).toBe('bad_envelope: value: expected a CloudEvent, got a list of 1 item');
    expect(reasonFor(JSON.stringify(published({ revision: 'x' })))).toBe(
      'bad_data: data.revision: expected an integer from 1 to 9007199254740991, got "x"',
    );
    expect(reasonFor(JSON.stringify(published({ subject: 'AI' })))).toMatch(
      /^bad_envelope: subject: expected a slug/,
    );
    expect(reasonFor(JSON.stringify(published({ x_large: 'x'.repeat(256 * 1024) })))).toBe(
      'too_large: line: expected at most 262144 bytes, got more',
    );
    // The key and the headers count too.
    const bare = Buffer.byteLength(JSON.stringify(published({ x_large: '' })));
    expect(reasonFor(JSON.stringify(published({ x_large: 'x'.repeat(256 * 1024 - bare) })))).toMatch(
      /^too_large: line: expected at most 262144 bytes, got 2621\d\d with its key and headers$/,
    );
  });

  test('is refused if nobody would read its type', () => {
    const reason = reasonFor(JSON.stringify({ ...published(), type: 'catalog.entry.renamed.v1' }));
    expect(reason).toMatch(
      /^unknown_type: type: expected one of catalog\.entry\.published\.v1, .+, got "catalog\.entry\.renamed\.v1"$/,
    );
  });

  test('is refused if the log would get it a day before it was measured', () => {
    const told = { time: '2027-01-01T00:00:00Z', measured_at: '2027-01-01T00:00:00Z' };
    expect(reasonFor(JSON.stringify(measured(told)))).toMatch(/^from_the_future: data\.measured_at: /);
  });
});

describe('topics', () => {
  test('every type stands on a topic of the contract', () => {
    const names = TOPICS.map(({ name }) => name);
    for (const { name, topic } of EVENT_TYPES) {
      expect(names).toContain(topic);
      expect(topicOf(`${name}.v1`)).toBe(topic);
    }
    expect(topicOf('catalog.entry.renamed.v1')).toBeNull();
  });

  test('probes are kept for 100 days, rejections for 30, all else for ever', () => {
    expect(TOPICS.map(({ name, partitions, retentionMs }) => [name, partitions, retentionMs])).toEqual([
      ['catalog.entries', 6, null],
      ['catalog.metrics', 6, null],
      ['catalog.categories', 6, null],
      ['monitor.targets', 6, null],
      ['monitor.probes', 6, 8_640_000_000],
      ['catalog.rejected', 6, 2_592_000_000],
    ]);
  });

  test('an event of an unknown type has no record', () => {
    const event: CloudEvent = { ...published(), type: 'catalog.entry.renamed.v1' };
    expect(() => structuredRecord(event)).toThrow(
      'No topic is known for events of type catalog.entry.renamed.v1',
    );
  });
});

test('fields that the schema dropped are told by their paths, whatever they hold once', () => {
  const received = {
    revision: 1,
    desciption: { en: 'a slip', ru: 'описка' },
    title: { en: 'a', de: 'b' },
    links: [
      { rel: 'a', titel: 1 },
      { rel: 'b', titel: 2 },
    ],
  };
  const kept = { revision: 1, title: { en: 'a' }, links: [{ rel: 'a' }, { rel: 'b' }] };
  expect(unknownPaths(received, kept)).toEqual([
    'data.desciption',
    'data.title.de',
    'data.links[].titel',
    'data.links[].titel',
  ]);
  expect(unknownPaths(kept, kept)).toEqual([]);
});

test('a field is not taken for known because every object inherits its name', () => {
  expect(unknownPaths(JSON.parse('{"__proto__":1,"constructor":1}'), {})).toEqual([
    'data.__proto__',
    'data.constructor',
  ]);
});
