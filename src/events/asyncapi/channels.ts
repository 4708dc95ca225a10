import type { TopicSpec } from '../log/port.ts';
import { REJECTED } from '../types.ts';
import { binaryMessage, KAFKA_BINDING, structuredMessage } from './messages.ts';
import { CHANNELS } from './texts.ts';
import { capitalized, toldOn } from './told.ts';

export function channel(topic: TopicSpec, topicPrefix: string): object {
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
        topicConfiguration: {
          'cleanup.policy': ['delete'],
          'retention.ms': topic.retentionMs ?? FOR_EVER,
        },
        bindingVersion: KAFKA_BINDING,
      },
    },
  };
}

const FOR_EVER = -1;

/** `entries` */
export function channelName({ name }: TopicSpec): string {
  return name.slice(name.indexOf('.') + 1);
}

export function operation(topic: TopicSpec): readonly [string, object] {
  const name = channelName(topic);
  const action = topic.name === REJECTED ? 'send' : 'receive';
  return [
    `${action}${capitalized(name)}`,
    { action, channel: { $ref: `#/channels/${name}` }, summary: CHANNELS[name] },
  ];
}

/** What stands on a topic, by the names of its messages; what we send ourselves is always structured. */
export function messagesOn(topic: TopicSpec): readonly (readonly [string, object])[] {
  return toldOn(topic).flatMap((told) => {
    const structured = [told.name, structuredMessage(told)] as const;
    return topic.name === REJECTED
      ? [structured]
      : [structured, [`${told.name}Binary`, binaryMessage(told)] as const];
  });
}
