import type { Producer } from 'kafkajs';
import { expect, test } from 'vitest';

import { Appender } from '../../../../src/events/log/kafka/appender.ts';
import { createBackoff } from '../../../../src/events/log/kafka/backoff.ts';
import { ReconnectingClient } from '../../../../src/events/log/kafka/reconnecting-client.ts';
import { PermanentError, RetryableError } from '../../../../src/platform/errors.ts';
import { textRecord } from '../../../support/log-fixture.ts';
import { hurriedClock, scriptedClient } from '../../../support/scripted-kafka.ts';

/** A user has rights on some topics and none on others: the former say nothing of the latter. */

const REFUSED = Object.assign(new Error('Not authorized'), { type: 'TOPIC_AUTHORIZATION_FAILED' });

test('a topic that a user is kept from stays so, whatever other topics have answered; one that has answered may again', async () => {
  const clock = hurriedClock();
  const refused = new Set(['rejected']);
  const client = {
    ...scriptedClient({ batches: [] }),
    partitions: (topic: string) => (refused.has(topic) ? Promise.reject(REFUSED) : Promise.resolve([])),
  };
  using asking = new ReconnectingClient({
    connect: async () => client,
    backoff: createBackoff(clock),
    clock,
  });
  const ask = (topic: string) => asking.use('asking', 1000, (it) => it.partitions(topic), [topic]);
  await ask('entries');
  await expect(ask('rejected')).rejects.toThrow(PermanentError);
  refused.add('entries');
  await expect(ask('entries')).rejects.toThrow(RetryableError);
});

test('so do appends', async () => {
  const clock = hurriedClock();
  const refused = new Set(['rejected']);
  const producer: Partial<Producer> = {
    connect: async () => undefined,
    sendBatch: async ({ topicMessages = [] }) => {
      if (topicMessages.some(({ topic }) => refused.has(topic))) throw REFUSED;
      return topicMessages.map(({ topic }) => ({
        topicName: topic,
        partition: 0,
        errorCode: 0,
        baseOffset: '0',
      }));
    },
  };
  using appender = new Appender({
    connection: {
      address: { scheme: 'kafka', brokers: ['localhost:1'], tls: null, sasl: null },
      requestMs: 1,
    },
    backoff: createBackoff(clock, () => 0),
    clock,
    patienceMs: 1000,
    open: () => ({ kafka: { producer: () => producer as Producer } as never, close: () => undefined }),
  });
  const append = (topic: string) => appender.append([textRecord(topic, 'key', 'one')], new Map([[topic, 1]]));
  await append('entries');
  await expect(append('rejected')).rejects.toThrow(PermanentError);
  refused.add('entries');
  await expect(append('entries')).rejects.toThrow(RetryableError);
});
