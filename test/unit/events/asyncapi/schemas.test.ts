import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { createDecoder } from '../../../../src/events/decode.ts';
import type { CloudEvent } from '../../../../src/events/envelope.ts';
import { TOPICS, EVENT_TYPES } from '../../../../src/events/event-types.ts';
import { arbitraryEvent } from '../../../support/arbitrary-events.ts';
import { faults, messageOf } from '../../../support/asyncapi.ts';
import { probed, published, recordOf } from '../../../support/events.ts';

const upstream = TOPICS.map(({ name }) => name).filter((name) => name !== 'catalog.rejected');
const decode = createDecoder(EVENT_TYPES);

/** What becomes of a value where this event would stand. */
function outcomeOf(event: CloudEvent, value: object = event): string {
  return decode({ ...recordOf(event), key: null, value: Buffer.from(JSON.stringify(value)) }).outcome;
}

describe('the schemas of the AsyncAPI document', () => {
  test('accept every valid event, in both content modes, with its key', () => {
    fc.assert(
      fc.property(arbitraryEvent(upstream), (event) => {
        const { headers, payload, bindings } = messageOf(event.type);
        expect(faults(headers, recordOf(event).headers)).toBeNull();
        expect(faults(payload, event)).toBeNull();
        expect(faults(bindings.kafka.key, event.subject)).toBeNull();
        const binary = messageOf(event.type, 'application/json');
        const { data, ...attributes } = event;
        const named = Object.entries(attributes).map(([name, value]) => [`ce_${name}`, value]);
        expect(faults(binary.headers, Object.fromEntries(named))).toBeNull();
        expect(faults(binary.payload, data)).toBeNull();
      }),
      { numRuns: 500 },
    );
    const lines = published({ description: { en: 'a\r\nb\nc' } });
    expect([outcomeOf(lines), faults(messageOf(lines.type).payload, lines)]).toEqual(['event', null]);
  });

  test('refuse only what decoding refuses', () => {
    let refused = 0;
    fc.assert(
      fc.property(arbitraryEvent(upstream), fc.nat(), junk, (event, place, value) => {
        const spoilt = spoil(event, place, value);
        if (faults(messageOf(event.type).payload, spoilt) === null) return;
        refused += 1;
        // A type that nobody knows is skipped, which is no acceptance either.
        expect(outcomeOf(event, spoilt), JSON.stringify(spoilt)).not.toBe('event');
      }),
      { numRuns: 3000 },
    );
    expect(refused).toBeGreaterThan(1000);
  });

  test.each([
    ['an empty text', published({ title: { en: '' } })],
    ['a control character', published({ summary: { en: 'a\u0007b' } })],
    ['a line feed outside a description', published({ title: { en: 'a\nb' } })],
    ['text in no language', published({ title: { ru: null } })],
    ['a text that is too long', published({ title: { en: 'a'.repeat(201) } })],
    ['a subtype of a bot', published({ kind: 'bot', subtype: 'group' })],
    ['a latency of a probe that failed', probed({ result: 'fail', latency_ms: 10 })],
    ['an address that is not https', published({ page_url: 'http://example.org/' })],
    ['an address with a space', published({ page_url: 'https://example.org/a b' })],
    ['a list of 21', published({ tags: Array.from({ length: 21 }, () => 'a') })],
    ['a revision of 0', published({ revision: 0 })],
    ['an upper-case slug', published({ subject: 'AI' })],
    ['a control character in an id', { ...published(), id: 'a\u0000' }],
    ['data that is not JSON', { ...published(), datacontenttype: 'text/plain' }],
  ])('refuse %s, as decoding does', (_what, event) => {
    expect(faults(messageOf(event.type).payload, event)).not.toBeNull();
    expect(outcomeOf(event)).toBe('rejected');
  });

  test.each([
    ['a day that no calendar has', published({ published_at: '2026-02-30T00:00:00Z' }), true],
    ['an address that cannot be parsed', published({ page_url: 'https://[' }), false],
    ['a probe far from its round', probed({ checked_at: '2026-11-20T11:00:00Z' }), false],
    ['a measurement long after its event', { ...probed(), time: '2026-11-01T00:00:00Z' }, false],
    ['an unpaired surrogate', published({ title: { en: '\ud800' } }), false],
  ])('leave %s to decoding', (_what, event, isNoticedByFormats) => {
    // A validator may check formats or not, by the rules of JSON Schema.
    expect(faults(messageOf(event.type).payload, event) !== null).toBe(isNoticedByFormats);
    expect(outcomeOf(event)).toBe('rejected');
  });
});

/** Values that stand in the wrong place wherever they stand, and some that may be right. */
const junk = fc.oneof(
  fc.constantFrom(
    null,
    '',
    ' ',
    'a',
    'A',
    '\u0000',
    -1,
    0,
    0.5,
    1,
    2 ** 53,
    true,
    [],
    {},
    ['a'],
    'undefined',
  ),
  fc.constantFrom('https://', 'tg:', 'http://a', '2026-11-20', '2026-11-20T10:00:00', 'channel', 'fail'),
  fc.constant(undefined),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.jsonValue({ maxDepth: 2 }),
);

/** The event with another value in one place: an attribute, or a field of its data, however deep. */
function spoil(event: CloudEvent, place: number, value: unknown): object {
  const copy = structuredClone(event) as unknown as Record<string, unknown>;
  const places = placesIn(copy);
  const chosen = places[place % places.length];
  if (chosen) chosen.holder[chosen.name] = value;
  // What is undefined is absent.
  return JSON.parse(JSON.stringify(copy)) as object;
}

interface Place {
  readonly holder: Record<string, unknown>;
  readonly name: string;
}

function placesIn(holder: Record<string, unknown>): readonly Place[] {
  return Object.entries(holder).flatMap(([name, value]) => {
    const inner = typeof value === 'object' && value !== null ? placesIn(value as typeof holder) : [];
    return [{ holder, name }, ...inner];
  });
}
