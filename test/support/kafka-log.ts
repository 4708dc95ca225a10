import { readFileSync } from 'node:fs';
import { Socket } from 'node:net';

import { Kafka, logLevel, type Admin, type SASLOptions } from 'kafkajs';
import { inject, onTestFinished } from 'vitest';

import { type KafkaAddress, readKafkaAddress } from '../../src/events/log/kafka/address.ts';
import { type KafkaLogOptions, openKafkaLog } from '../../src/events/log/kafka.ts';
import type { Log } from '../../src/events/log/port.ts';
import type { LogFixture } from './log-fixture.ts';
import type { LogOpener } from './log-process.ts';

/** How long to wait for what must happen soon, on a machine of any speed. */
export const settling = { settleMs: 45_000 };

/** As short as brokers allow without settings of their own. */
export const QUICK: KafkaLogOptions = {
  sessionMs: 6000,
  heartbeatMs: 100,
  lookMs: 500,
  patienceMs: 3000,
  requestMs: 3000,
};

/** The address of the broker of this run. */
export function kafkaAddress(url: string | null = inject('services')['kafka']?.url ?? null): KafkaAddress {
  if (url === null) throw new Error('Kafka was not started');
  const address = readKafkaAddress(url);
  if ('expected' in address) throw new Error(`TEST_KAFKA_URL: expected ${address.expected}`);
  return address;
}

/** A client that is disposed when the test has finished. */
export function openKafka(options: KafkaLogOptions = {}, address: KafkaAddress = kafkaAddress()): Log {
  const log = openKafkaLog(address, { ...QUICK, ...options });
  onTestFinished(() => log[Symbol.asyncDispose]());
  return log;
}

/** How another process opens a client. */
export function kafkaOpener(): LogOpener {
  const module = new URL('../../src/events/log/kafka.ts', import.meta.url).href;
  return { module, name: 'openKafkaLog', args: [kafkaAddress(), QUICK] };
}

/** A client that knows nothing of the adapter: what other programs do. */
export function otherClient({ brokers, tls, sasl }: KafkaAddress = kafkaAddress()): Kafka {
  return new Kafka({
    brokers: [...brokers],
    logLevel: logLevel.NOTHING,
    ...(tls ? { ssl: tls.ca === null ? true : { ca: readFileSync(tls.ca, 'utf8') } } : {}),
    ...(sasl ? { sasl: { ...sasl } as SASLOptions } : {}),
  });
}

/** Kafka's own administration, for what happens behind the port's back. */
export async function withAdmin<T>(work: (admin: Admin) => Promise<T>, address?: KafkaAddress): Promise<T> {
  const admin = otherClient(address).admin();
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.disconnect();
  }
}

/** Puts the records of a partition below a position out of reach. */
export function forgetRecords(
  topic: string,
  partition: number,
  before: number,
  address?: KafkaAddress,
): Promise<void> {
  return withAdmin(async (admin) => {
    // kafkajs finds the leader of a topic only once it has been asked for something else of it.
    await admin.fetchTopicOffsets(topic);
    await admin.deleteTopicRecords({ topic, partitions: [{ partition, offset: String(before) }] });
  }, address);
}

/** A way to the broker that can be cut. */
export interface Road {
  readonly socket: NonNullable<KafkaLogOptions['socket']>;
  /** Ends every connection, and refuses new ones until it is disposed. */
  cut(): Disposable;
  /** How many connections were opened so far. */
  readonly opened: () => number;
}

export function createRoad(): Road {
  const sockets = new Set<Socket>();
  let opened = 0;
  let cuts = 0;
  return {
    opened: () => opened,
    socket: (place) => {
      opened += 1;
      const socket = new Socket();
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      if (cuts > 0) setImmediate(() => socket.destroy(new Error('the road is cut')));
      else socket.connect(place);
      return socket;
    },
    cut: () => {
      cuts += 1;
      for (const socket of sockets) socket.destroy(new Error('the road is cut'));
      return {
        [Symbol.dispose]: () => {
          cuts -= 1;
        },
      };
    },
  };
}

/** The broker of this run. Its clients in this process share a road. */
export function kafkaFixture(): LogFixture {
  const road = createRoad();
  return {
    open: async () => openKafkaLog(kafkaAddress(), { ...QUICK, socket: road.socket }),
    opener: kafkaOpener(),
    cut: async () => {
      const cut = road.cut();
      return { [Symbol.asyncDispose]: async () => cut[Symbol.dispose]() };
    },
    forget: forgetRecords,
    addPartitions: (topic, count) =>
      withAdmin(async (admin) => {
        await admin.createPartitions({ topicPartitions: [{ topic, count }] });
      }),
    ...settling,
    [Symbol.asyncDispose]: async () => undefined,
  };
}
