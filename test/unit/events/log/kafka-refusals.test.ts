import { describe, expect, test } from 'vitest';

import { createBackoff } from '../../../../src/events/log/kafka/connect-backoff.ts';
import { ReconnectingClient } from '../../../../src/events/log/kafka/reconnecting-client.ts';
import { translateKafka } from '../../../../src/events/log/kafka/errors.ts';
import { PermanentError, RetryableError } from '../../../../src/platform/errors.ts';
import { hurriedClock, scriptedClient } from '../../../support/scripted-kafka.ts';
import { words } from '../../../support/words.ts';

/** Which refusals of a cluster may pass, and which are for good. */

const kafkaError = (type: string): Error => Object.assign(new Error('no'), { type });

/** Connected with a cluster that refuses, with an error of this type, who asks for one of these topics. */
function refusing(type: string, refused: ReadonlySet<string>): ReconnectingClient {
  const clock = hurriedClock();
  const partitions = async (topic: string): Promise<[]> => {
    if (refused.has(topic)) throw kafkaError(type);
    return [];
  };
  const client = { ...scriptedClient({ batches: [] }), partitions };
  return new ReconnectingClient({ connect: async () => client, backoff: createBackoff(clock), clock });
}

describe('errors of Kafka', () => {
  test.each([
    ...words('UNKNOWN_TOPIC_OR_PARTITION INVALID_REPLICATION_FACTOR UNKNOWN NEVER_HEARD_OF'),
    ...words('KAFKA_STORAGE_ERROR'),
  ])('%s may pass', (type) =>
    expect(translateKafka('asking', kafkaError(type))).toBeInstanceOf(RetryableError),
  );

  test.each(['TOPIC_AUTHORIZATION_FAILED', 'GROUP_AUTHORIZATION_FAILED', 'SASL_AUTHENTICATION_FAILED'])(
    '%s is for good at the first attempt, and may pass once the same was allowed',
    (type) => {
      expect(translateKafka('asking', kafkaError(type))).toBeInstanceOf(PermanentError);
      expect(translateKafka('asking', kafkaError(type), true)).toBeInstanceOf(RetryableError);
    },
  );

  test('a topic that a user is kept from stays so, whatever other topics have answered; one that has answered may again', async () => {
    const refused = new Set(['rejected']);
    using asking = refusing('TOPIC_AUTHORIZATION_FAILED', refused);
    const ask = (topic: string) => asking.use('asking', 1000, (it) => it.partitions(topic), [topic]);
    await ask('entries');
    await expect(ask('rejected')).rejects.toThrow(PermanentError);
    refused.add('entries');
    await expect(ask('entries')).rejects.toThrow(RetryableError);
  });

  test('a refusal that is of no topic may pass for a client that was let in before, also where it asks for a new topic', async () => {
    using asking = refusing('CLUSTER_AUTHORIZATION_FAILED', new Set(['new']));
    const ask = (topic: string) => asking.use('asking', 1000, (it) => it.partitions(topic), [topic]);
    await expect(ask('new')).rejects.toThrow(PermanentError);
    await ask('entries');
    await expect(ask('new')).rejects.toThrow(RetryableError);
  });

  test('a client that was let in once is refused for a while, not for good, and comes back', async () => {
    const clock = hurriedClock();
    const client = scriptedClient({ batches: [] });
    const outcomes: (typeof client | Error)[] = [client, kafkaError('SASL_AUTHENTICATION_FAILED'), client];
    const connect = async (): Promise<typeof client> => {
      const outcome = outcomes.shift();
      if (outcome === undefined || outcome instanceof Error) throw outcome;
      return outcome;
    };
    using reconnecting = new ReconnectingClient({ connect, backoff: createBackoff(clock), clock });
    const ask = () => reconnecting.use('asking', 1000, (connected) => connected.partitions('t'));
    expect(await ask()).toHaveLength(1);
    reconnecting.dropConnected();
    await expect(ask()).rejects.toThrow(RetryableError);
    expect(await ask()).toHaveLength(1);
  });
});
