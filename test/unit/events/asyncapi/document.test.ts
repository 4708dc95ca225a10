import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Ajv, type AnySchema, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import specs from '@asyncapi/specs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { asyncApiDocument } from '../../../../src/events/asyncapi/document.ts';
import { createDecoder } from '../../../../src/events/decode.ts';
import type { CloudEvent } from '../../../../src/events/envelope.ts';
import type { NewRecord } from '../../../../src/events/log/port.ts';
import { TOPICS, EVENT_TYPES } from '../../../../src/events/types.ts';
import { park } from '../../../../src/projecting/engine/parking.ts';
import { arbitraryEvent } from '../../../support/arbitrary-events.ts';
import { probed, published, recordOf } from '../../../support/events.ts';

interface Message {
  readonly name: string;
  readonly contentType: string;
  readonly payload: object;
  readonly headers: object;
  readonly examples: readonly { readonly headers: Record<string, string>; readonly payload: object }[];
  readonly bindings: { readonly kafka: { readonly key: object } };
}

interface Channel {
  readonly address: string;
  readonly messages: Readonly<Record<string, { readonly $ref: string }>>;
  readonly bindings: {
    readonly kafka: { readonly partitions: number; readonly topicConfiguration: Record<string, unknown> };
  };
}

interface Document {
  readonly channels: Readonly<Record<string, Channel>>;
  readonly operations: Readonly<
    Record<string, { readonly action: string; readonly channel: { $ref: string } }>
  >;
  readonly components: { readonly messages: Readonly<Record<string, Message>>; readonly schemas: object };
}

const document = asyncApiDocument({ topicPrefix: '' }) as unknown as Document;
const messages = Object.values(document.components.messages);
const upstream = TOPICS.map(({ name }) => name).filter((name) => name !== 'catalog.rejected');

const ajv = new Ajv({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema({ $id: 'asyncapi', ...document });
const compiled = new Map<object, ValidateFunction>();

/** What a schema of the document has against a value; null where nothing. */
function faults(schema: object, value: unknown): string | null {
  const text = JSON.stringify(schema).replaceAll('"#/', '"asyncapi#/');
  const validate = compiled.get(schema) ?? ajv.compile(JSON.parse(text) as object);
  compiled.set(schema, validate);
  return validate(value) ? null : ajv.errorsText(validate.errors);
}

/** The message of an event, in the structured mode unless it is told otherwise. */
function messageOf(type: string, contentType = 'application/cloudevents+json'): Message {
  const found = messages.find((message) => message.name === type && message.contentType === contentType);
  if (!found) throw new Error(`no ${contentType} message of ${type}`);
  return found;
}

const decode = createDecoder(EVENT_TYPES);

/** What becomes of a value where this event would stand. */
function outcomeOf(event: CloudEvent, value: object = event): string {
  return decode({ ...recordOf(event), key: null, value: Buffer.from(JSON.stringify(value)) }).outcome;
}

describe('the AsyncAPI document', () => {
  test('is the one that is committed; `npm run -s openapi -- --events` prints it', () => {
    const file = join(import.meta.dirname, '../../../../docs/reference/asyncapi.json');
    expect(`${JSON.stringify(document, null, 2)}\n`).toBe(readFileSync(file, 'utf8'));
  });

  test('has the official schema of AsyncAPI 3.1, and nothing in it is referred to that is not there', () => {
    // It brings the meta-schema of draft 7 with it.
    const official = new Ajv({ strict: false, allErrors: true, meta: false, validateSchema: false });
    addFormats.default(official);
    const validate = official.compile(specs.schemas['3.1.0'] as AnySchema);
    expect(validate(document), official.errorsText(validate.errors)).toBe(true);
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)];
    expect(references.length).toBeGreaterThan(50);
    for (const [, path] of references) expect(valueAt(String(path).split('/')), path).toBeTypeOf('object');
  });

  test('has a message for every version of every type, in both content modes, on the topic of its type', () => {
    const told = EVENT_TYPES.flatMap(({ name, topic, versions }) =>
      versions.flatMap((_, index) => [
        `${topic} ${name}.v${index + 1} application/cloudevents+json`,
        `${topic} ${name}.v${index + 1} application/json`,
      ]),
    );
    const rejected = 'catalog.rejected catalog.event.rejected.v1 application/cloudevents+json';
    const shown = Object.values(document.channels).flatMap((channel) =>
      Object.values(channel.messages).map(({ $ref }) => {
        const { name, contentType } = valueAt($ref.slice(2).split('/')) as Message;
        return `${channel.address} ${name} ${contentType}`;
      }),
    );
    expect(shown.sort()).toEqual([...told, rejected].sort());
  });

  test('names every topic with its partitions and its retention, and who sends there', () => {
    const shown = Object.values(document.channels).map(({ address, bindings: { kafka } }) => {
      const retention = kafka.topicConfiguration['retention.ms'];
      return {
        name: address,
        partitions: kafka.partitions,
        retentionMs: retention === -1 ? null : retention,
      };
    });
    expect(shown).toEqual(TOPICS);
    const sent = Object.values(document.operations).filter(({ action }) => action === 'send');
    expect(sent.map(({ channel }) => channel.$ref)).toEqual(['#/channels/rejected']);
    expect(Object.keys(document.operations)).toHaveLength(TOPICS.length);
  });

  test('puts the configured prefix before every topic', () => {
    const { channels } = asyncApiDocument({ topicPrefix: 'test.' }) as unknown as Document;
    expect(Object.values(channels).map(({ address }) => address)).toEqual(
      TOPICS.map(({ name }) => `test.${name}`),
    );
  });

  test.each(messages.map((message) => [message.name, message.contentType, message] as const))(
    'the example of %s as %s is what it describes, and is decoded',
    (name, contentType, { headers, payload, bindings, examples }) => {
      for (const example of examples) {
        expect(faults(headers, example.headers)).toBeNull();
        expect(faults(payload, example.payload)).toBeNull();
        const event = example.payload as CloudEvent;
        const isStructured = contentType !== 'application/json';
        const key = isStructured ? event.subject : String(example.headers['ce_subject']);
        expect(faults(bindings.kafka.key, key)).toBeNull();
        if (name === 'catalog.event.rejected.v1') return;
        const time = isStructured ? event.time : String(example.headers['ce_time']);
        const value = Buffer.from(JSON.stringify(example.payload));
        const topic = EVENT_TYPES.find((type) => name.startsWith(`${type.name}.v`))?.topic ?? '';
        const place = { topic, partition: 0, position: 0, timestamp: Date.parse(time) };
        const decoded = decode({ ...place, key, value, headers: example.headers });
        expect(decoded).toMatchObject({ outcome: 'event', unknownFields: 0 });
      }
      expect(examples).toHaveLength(1);
    },
  );
});

test.each([
  ['an event that is wrong', JSON.stringify(published({ revision: 0 }))],
  ['bytes that are no event', 'not JSON'],
])('what is announced of %s is as the AsyncAPI document says', async (_what, text) => {
  const record = { ...recordOf(published()), value: Buffer.from(text) };
  const decoded = decode(record);
  if (decoded.outcome !== 'rejected') throw new Error('it was accepted');
  const announced: NewRecord[] = [];
  const log = { append: async (records: readonly NewRecord[]) => (announced.push(...records), []) };
  const documents = { versions: async () => new Map(), write: async () => ['done'] };
  const lane = { readModel: 'listings@1', topic: record.topic, partition: 0, incarnation: 0 };
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
    ['fields that nobody knows', published({ x_new: { deep: [1] } })],
    ['extension attributes', { ...published(), traceparent: '00-1-2-3' }],
    ['optional fields that are null', published({ summary: null, country: null })],
    ['line feeds in a description', published({ description: { en: 'a\nb' } })],
    ['characters beyond the basic plane, each counted once', published({ title: { en: '😀'.repeat(200) } })],
    ['links of the platform', published({ open_url: 'tg://resolve?domain=ai_news' })],
    ['a JSON media type with parameters', { ...published(), datacontenttype: 'Application/X+JSON; v=1' }],
  ])('accept %s, as decoding does', (_what, event) => {
    expect(faults(messageOf(event.type).payload, event)).toBeNull();
    expect(outcomeOf(event)).toBe('event');
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

function valueAt(path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, step) => (inner as Record<string, unknown> | undefined)?.[step],
    document,
  );
}
