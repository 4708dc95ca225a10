import type { Producer } from 'kafkajs';
import { describe, expect, test } from 'vitest';

import { Appender } from '../../../../src/events/log/kafka/appender.ts';
import { createBackoff } from '../../../../src/events/log/kafka/connect-backoff.ts';
import { PermanentError, RetryableError } from '../../../../src/platform/errors.ts';
import type { Clock } from '../../../../src/platform/time/clock.ts';
import { textRecord } from '../../../support/log-fixture.ts';
import { hurriedClock } from '../../../support/scripted-kafka.ts';

/** The broker that a new producer asks for its id has just died: kafkajs gives up at once, and names no other. */

const PATIENCE_MS = 10_000;
const RECORD = textRecord('t', 'key', 'value');
const DEAD = new Error('Connection error: connect ECONNREFUSED 127.0.0.1:9092');

/** Producers whose connecting fails with each of these in turn, and then works. A promise decides later. */
function appenderMeeting(failures: readonly (Error | Promise<void>)[], patienceMs = PATIENCE_MS) {
  const clock = hurriedClock();
  const open = { count: 0, closed: 0, sent: 0 };
  const producer = (failure: Error | Promise<void> | undefined): Partial<Producer> => ({
    connect: () => (failure instanceof Error ? Promise.reject(failure) : Promise.resolve(failure)),
    send: async () => {
      open.sent += 1;
      return [{ topicName: 't', partition: 0, errorCode: 0, baseOffset: '7' }];
    },
  });
  const next = () => producer(failures[open.count++]);
  const appender = appenderOn(next, clock, { patienceMs, close: () => void (open.closed += 1) });
  return { appender, clock, open };
}

/** An appender whose connections have these producers, one after the other. */
function appenderOn(
  next: () => Partial<Producer>,
  clock: Clock,
  { patienceMs = PATIENCE_MS, close = (): void => undefined } = {},
): Appender {
  const address = { scheme: 'kafka', brokers: ['localhost:1'], tls: null, sasl: null } as const;
  return new Appender({
    connection: { address, requestMs: 10_000 },
    backoff: createBackoff(clock, () => 0),
    clock,
    patienceMs,
    open: () => {
      const producer = next() as Producer;
      return { kafka: { producer: () => producer } as never, close };
    },
  });
}

const append = ({ appender }: ReturnType<typeof appenderMeeting>) =>
  appender.append([RECORD], new Map([['t', 1]]));

describe('connecting a producer', () => {
  test('is tried again for as long as the patience lasts, and each failed one is closed', async () => {
    const met = appenderMeeting([DEAD, DEAD, DEAD]);
    expect(await append(met)).toEqual([{ topic: 't', partition: 0, position: 7 }]);
    expect(met.open).toEqual({ count: 4, closed: 3, sent: 1 });
    expect(met.clock.monotonic()).toBe(3000);
  });

  test('ends with the reason of its last failure once the patience is over', async () => {
    const met = appenderMeeting(Array.from({ length: 100 }, () => DEAD));
    const failure = await append(met).catch((reason: unknown) => reason);
    expect(failure).toBeInstanceOf(RetryableError);
    expect(failure).toHaveProperty('message', expect.stringContaining('ECONNREFUSED'));
    expect(met.open.count).toBe(1 + PATIENCE_MS / 1000);
    expect(met.open.closed).toBe(met.open.count);
  });

  test('is not tried again where the broker refuses this user', async () => {
    const refusal = Object.assign(new Error('no'), { type: 'CLUSTER_AUTHORIZATION_FAILED' });
    const met = appenderMeeting([refusal]);
    await expect(append(met)).rejects.toThrow(PermanentError);
    expect(met.open.count).toBe(1);
  });

  test('is tried again where the broker dies while the producer signs in, and not where it says that the password is wrong', async () => {
    const signingIn = (why: string) => {
      const failure = new Error(`SASL SCRAM SHA512 authentication failed: ${why}`);
      failure.name = 'KafkaJSSASLAuthenticationError';
      return new Error(failure.message, { cause: failure });
    };
    const met = appenderMeeting([
      signingIn('Connection error: read ECONNRESET'),
      signingIn('Closed connection'),
    ]);
    expect(await append(met)).toHaveLength(1);
    const refused = appenderMeeting([signingIn('invalid credentials with SASL mechanism SCRAM-SHA-512')]);
    await expect(append(refused)).rejects.toThrow(PermanentError);
    expect([met.open.count, refused.open.count]).toEqual([3, 1]);
  });

  test('that fails after its append was given up leaves the producer of the next append alone', async () => {
    const late = Promise.withResolvers<void>();
    const met = appenderMeeting([late.promise], 20);
    await expect(append(met)).rejects.toThrow('no answer in 20 ms');
    const next = append(met);
    late.reject(DEAD);
    await next;
    expect(await append(met)).toHaveLength(1);
    expect(met.open).toEqual({ count: 2, closed: 1, sent: 2 });
  });

  test('is not begun by a log that was closed meanwhile', async () => {
    const met = appenderMeeting([DEAD, DEAD]);
    const appending = append(met);
    met.appender[Symbol.dispose]();
    await expect(appending).rejects.toThrow('closed');
    expect(met.open.count).toBe(0);
  });
});

/** An appender whose producer does this with each batch. */
function appenderSending(send: Producer['send'], clock = hurriedClock()) {
  return appenderOn(() => ({ connect: async () => undefined, send }), clock);
}

test('each partition is sent by itself: kafkajs would send twice what is on its way to other brokers when one fails', async () => {
  const batches: ReadonlySet<number>[] = [];
  using appender = appenderSending(async ({ topic, messages }) => {
    const partitions = new Set(messages.map(({ partition = 0 }) => partition));
    batches.push(partitions);
    return [...partitions].map((partition) => {
      return { topicName: topic, partition, errorCode: 0, baseOffset: '0' };
    });
  });
  const records = ['a', 'b', 'c', 'a', 'b', 'c'].map((key) => textRecord('t', key, 'value'));
  const places = await appender.append([...records, textRecord('u', 'a', 'value')], new Map([['t', 6]]));
  expect(new Set(places.slice(0, 6).map(({ partition }) => partition)).size).toBe(batches.length - 1);
  expect(batches.length).toBeGreaterThan(2);
  for (const partitions of batches) expect(partitions.size).toBe(1);
  expect(places.map(({ position }) => position)).toEqual([0, 0, 1, 2, 1, 3, 0]);
});

test('a topic that a user may not write to stays so, whatever others took; one that took something may again', async () => {
  const refused = new Set(['rejected']);
  using appender = appenderSending(async ({ topic }) => {
    if (refused.has(topic))
      throw Object.assign(new Error('Not authorized'), { type: 'TOPIC_AUTHORIZATION_FAILED' });
    return [{ topicName: topic, partition: 0, errorCode: 0, baseOffset: '0' }];
  });
  const appendTo = (topic: string) =>
    appender.append([textRecord(topic, 'key', 'one')], new Map([[topic, 1]]));
  await appendTo('entries');
  await expect(appendTo('rejected')).rejects.toThrow(PermanentError);
  refused.add('entries');
  await expect(appendTo('entries')).rejects.toThrow(RetryableError);
});

test('an append that is refused is a reason for nobody to wait: the next one connects at once', async () => {
  const clock = hurriedClock();
  const refusals = [Object.assign(new Error('too large'), { type: 'MESSAGE_TOO_LARGE' })];
  using appender = appenderSending(async () => {
    const refusal = refusals.pop();
    if (refusal) throw refusal;
    return [{ topicName: 't', partition: 0, errorCode: 0, baseOffset: '0' }];
  }, clock);
  const appending = () => appender.append([RECORD], new Map([['t', 1]]));
  await expect(appending()).rejects.toThrow(PermanentError);
  expect(await appending()).toHaveLength(1);
  expect(clock.monotonic()).toBe(0);
});
