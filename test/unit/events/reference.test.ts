import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { asyncApiDocument } from '../../../src/events/asyncapi/document.ts';
import type { CloudEvent } from '../../../src/events/envelope.ts';
import { publishable } from '../../../src/events/publishable.ts';
import { REJECTION_CODES } from '../../../src/events/rejection.ts';
import { TOPICS, EVENT_TYPES } from '../../../src/events/event-types.ts';

/** docs/reference/events.md is held to the schemas that it describes. */

const page = readFileSync(new URL('../../../docs/reference/events.md', import.meta.url), 'utf8');
const examples = [...page.matchAll(/^```json\n(.+?)^```/gms)].map(
  (block) => JSON.parse(String(block[1])) as CloudEvent,
);

interface Message {
  readonly name: string;
  readonly contentType: string;
  readonly examples: readonly { readonly payload: unknown }[];
}

test('every type has an example, and none is there twice', () => {
  const types = EVENT_TYPES.flatMap(({ name, versions }) =>
    versions.map((_, index) => `${name}.v${index + 1}`),
  );
  expect(examples.map(({ type }) => type).sort()).toEqual(types.sort());
});

test('the examples are those of the AsyncAPI document', () => {
  const { components } = asyncApiDocument({ topicPrefix: '' }) as unknown as {
    readonly components: { readonly messages: Readonly<Record<string, Message>> };
  };
  const structured = Object.values(components.messages).filter(
    ({ name, contentType }) =>
      contentType === 'application/cloudevents+json' && name !== 'catalog.event.rejected.v1',
  );
  expect(examples).toEqual(structured.flatMap((message) => message.examples.map(({ payload }) => payload)));
});

test.each(examples.map((example) => [example.type, example] as const))(
  'the example of %s is valid',
  (_type, example) => {
    const result = publishable(Buffer.from(JSON.stringify(example)), Date.parse(example.time));
    expect(result).toMatchObject({ outcome: 'valid', unknownPaths: [] });
  },
);

test('every required and optional field of a type is named on the page', () => {
  for (const { data } of examples)
    for (const field of Object.keys(data)) expect(page).toContain(`\`${field}`);
});

test('the rejection codes on the page are those of the code, in the same words', () => {
  const rows = [...page.matchAll(/^\| `(\w+)` +\| (.+?) +\|$/gm)].map(([, code, meaning]) => [code, meaning]);
  const codes = Object.entries(REJECTION_CODES);
  expect(rows.filter(([code]) => String(code) in REJECTION_CODES)).toEqual(codes);
});

test('every topic is on the page', () => {
  const rows = [...page.matchAll(/^\| `([a-z]+\.[a-z]+)` /gm)].map(([, name]) => name);
  expect(rows).toEqual(TOPICS.map(({ name }) => name));
});
