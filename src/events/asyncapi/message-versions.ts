import { z } from 'zod';

import { exampleOf } from '../../platform/schema-texts.ts';
import type { JsonObject } from '../../platform/json.ts';
import type { CloudEvent } from '../envelope.ts';
import type { EventExample, EventType } from '../event.ts';
import type { TopicSpec } from '../log/port.ts';
import { REJECTED_EXAMPLE, REJECTED_TYPE, rejectedData } from '../rejection.ts';
import { EVENT_TYPES, REJECTED } from '../types.ts';
import type { MessageVersion } from './messages.ts';
import { jsonSchemaOf } from './schema.ts';

/** The versions of the types that stand on a topic, and how they are described. */
export function messageVersionsOn(topic: TopicSpec): readonly MessageVersion[] {
  if (topic.name === REJECTED) return [REJECTION];
  return EVENT_TYPES.filter((type) => type.topic === topic.name).flatMap(versionsOf);
}

function versionsOf({ name, subject, versions, summary, example }: EventType): readonly MessageVersion[] {
  return versions.map((data, index) => ({
    name: schemaName(name, index + 1),
    type: `${name}.v${index + 1}`,
    summary,
    subject: jsonSchemaOf(subject),
    data: jsonSchemaOf(data),
    example: eventOf(`${name}.v${index + 1}`, data, example),
  }));
}

/** In the structured mode; docs/reference/events.md shows the same. */
function eventOf(type: string, schema: z.ZodType, { data, ...attributes }: EventExample): CloudEvent {
  const { id, source, ...others } = attributes;
  // Events carry objects, and the examples of their fields make one.
  const fields = exampleOf(schema) as JsonObject;
  return { specversion: '1.0', id, source, type, ...others, data: { ...fields, ...data } };
}

const REJECTION: MessageVersion = {
  name: schemaName(REJECTED_TYPE, 1),
  type: `${REJECTED_TYPE}.v1`,
  summary: 'An event could not be used. It is kept, and holds up no other.',
  subject: jsonSchemaOf(
    z
      .string()
      .min(1)
      .meta({ description: 'The source of what was refused; "unknown" where it could not be read.' }),
  ),
  data: jsonSchemaOf(rejectedData),
  example: REJECTED_EXAMPLE,
};

/** `catalog.entry.published` in version 1: `EntryPublishedV1`. */
function schemaName(type: string, version: number): string {
  return `${type.split('.').slice(1).map(capitalized).join('')}V${version}`;
}

export function capitalized(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}
