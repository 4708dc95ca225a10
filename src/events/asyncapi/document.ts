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

/**
 * The AsyncAPI document of the events, from the very schemas by which they are decoded. The application that it describes is
 * ours: we receive what upstream publishes, and send what was refused. `topicPrefix` stands before the name of each topic.
 */
export function asyncApiDocument({ topicPrefix }: { readonly topicPrefix: string }) {
  const channels = TOPICS.map((topic) => [channelName(topic), channel(topic, topicPrefix)] as const);
  const all = TOPICS.flatMap(messageVersionsOn);
  return {
    asyncapi: '3.1.0',
    info: { title: 'Catalog events', version: '1.0.0', description: DESCRIPTION, license: { name: 'MIT' } },
    defaultContentType: 'application/json',
    servers: { kafka: KAFKA },
    channels: Object.fromEntries(channels),
    operations: Object.fromEntries(TOPICS.map(operation)),
    components: {
      messages: Object.fromEntries(TOPICS.flatMap(messagesOn)),
      securitySchemes: { scram: { type: 'scramSha512', description: USER } },
      schemas: { ...SHARED_SCHEMAS, ...Object.fromEntries(all.map(({ name, data }) => [name, data])) },
    },
  };
}

/** Of each channel, by the last part of its topic. */
const CHANNELS: Readonly<Record<string, string>> = {
  entries: 'What is published under a slug, and that it no longer is.',
  metrics: 'Measurements of what stands under a slug.',
  categories: 'The taxonomy: one for all kinds of entries.',
  targets: 'What the monitor watches.',
  probes: 'What each probe of a target found.',
  rejected: 'What was refused, and why: for upstream to read.',
};

/** Every installation has its own. */
const KAFKA = {
  host: '{bootstrap}',
  protocol: 'kafka-secure',
  description:
    'The Kafka of an installation: its operator says where it is, and makes a user for each upstream system. Values are JSON without a schema registry’s framing.',
  variables: {
    bootstrap: {
      default: 'localhost:9093',
      description: 'Some of the brokers, `HOST:PORT`, separated by commas.',
    },
  },
  security: [{ $ref: '#/components/securitySchemes/scram' }],
};

const USER =
  'A user that may write its topics, read `catalog.rejected`, and use a consumer group of its own.';

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

const DESCRIPTION = `What upstream systems publish for the catalog and its monitor, and what they are told of events that were refused.

An event carries the whole state of its subject, never a patch. It may come twice, late and in any order: the higher \`revision\`, or the later \`measured_at\`, wins.

Every event is a CloudEvent 1.0, in either content mode of its Kafka binding. The key of a record, where it has one, is the event's \`subject\`. Key, headers and value have at most 256 KiB together, objects and lists at most 8 levels, the envelope being the first.

Fields that a schema does not list are dropped and counted, not refused, so that they may be added at any time. An optional field that is absent and one that is null are the same.

What a schema here refuses is refused, with two exceptions: the length of a text is that of its NFC, and a second may be 60 in any minute. A few things more are refused: unpaired surrogates; numbers that are not finite; dates that no calendar has; URLs that cannot be parsed; a \`measured_at\` or \`checked_at\` more than a day after the event's \`time\`, or after its arrival; a \`checked_at\` more than 10 minutes away from its round.`;
