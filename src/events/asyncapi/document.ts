import type { TopicSpec } from '../log/port.ts';
import { REJECTED, TOPICS } from '../event-types.ts';
import {
  binaryMessage,
  KAFKA_BINDING,
  structuredMessage,
  SHARED_SCHEMAS,
  capitalized,
  messageVersionsOn,
} from './messages.ts';
import texts from './texts.json' with { type: 'json' };

/**
 * The AsyncAPI document of the events, from the very schemas by which they are decoded. The application that it describes is
 * ours: we receive what upstream publishes, and send what was refused. `topicPrefix` stands before the name of each topic.
 */
export function asyncApiDocument({ topicPrefix }: { readonly topicPrefix: string }) {
  const channels = TOPICS.map((topic) => [channelName(topic), channel(topic, topicPrefix)] as const);
  const all = TOPICS.flatMap(messageVersionsOn);
  return {
    asyncapi: '3.1.0',
    info: {
      title: 'Catalog events',
      version: '1.0.0',
      description: texts.description.join('\n\n'),
      license: { name: 'MIT' },
    },
    defaultContentType: 'application/json',
    servers: { kafka: texts.kafka },
    channels: Object.fromEntries(channels),
    operations: Object.fromEntries(TOPICS.map(operation)),
    components: {
      messages: Object.fromEntries(TOPICS.flatMap(messagesOn)),
      securitySchemes: { scram: texts.scram },
      schemas: { ...SHARED_SCHEMAS, ...Object.fromEntries(all.map(({ name, data }) => [name, data])) },
    },
  };
}

/** Of each channel, by the last part of its topic. */
const CHANNELS: Readonly<Record<string, string>> = texts.channels;

function channel(topic: TopicSpec, topicPrefix: string): object {
  const address = `${topicPrefix}${topic.name}`;
  return {
    address,
    description: CHANNELS[channelName(topic)],
    messages: Object.fromEntries(
      messagesOn(topic).map(([name]) => [name, { $ref: `#/components/messages/${name}` }]),
    ),
    bindings: {
      kafka: {
        topic: address,
        partitions: topic.partitions,
        topicConfiguration: { 'cleanup.policy': ['delete'], 'retention.ms': topic.retentionMs ?? FOR_EVER },
        bindingVersion: KAFKA_BINDING,
      },
    },
  };
}

const FOR_EVER = -1;

/** `entries` */
function channelName({ name }: TopicSpec): string {
  return name.slice(name.indexOf('.') + 1);
}

function operation(topic: TopicSpec): readonly [string, object] {
  const name = channelName(topic);
  const action = topic.name === REJECTED ? 'send' : 'receive';
  return [
    `${action}${capitalized(name)}`,
    { action, channel: { $ref: `#/channels/${name}` }, summary: CHANNELS[name] },
  ];
}

/** What stands on a topic, by the names of its messages; what we send ourselves is always structured. */
function messagesOn(topic: TopicSpec): readonly (readonly [string, object])[] {
  return messageVersionsOn(topic).flatMap((told) => {
    const structured = [told.name, structuredMessage(told)] as const;
    return topic.name === REJECTED
      ? [structured]
      : [structured, [`${told.name}Binary`, binaryMessage(told)] as const];
  });
}
