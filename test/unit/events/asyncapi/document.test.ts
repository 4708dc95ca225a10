import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Ajv, type AnySchema } from 'ajv';
import addFormats from 'ajv-formats';
import specs from '@asyncapi/specs';
import { describe, expect, test } from 'vitest';

import { asyncApiDocument } from '../../../../src/events/asyncapi/document.ts';
import { createDecoder } from '../../../../src/events/decode.ts';
import type { CloudEvent } from '../../../../src/events/envelope.ts';
import { TOPICS, EVENT_TYPES } from '../../../../src/events/event-types.ts';
import { document, faults, messages, type Document, type Message } from '../../../support/asyncapi.ts';

const decode = createDecoder(EVENT_TYPES);

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

function valueAt(path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, step) => (inner as Record<string, unknown> | undefined)?.[step],
    document,
  );
}
