import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import kafkajs, { type Broker } from 'kafkajs';
import { afterEach, describe, expect, test, vi } from 'vitest';

import {
  clusterOf,
  fetchFrom,
  isLostWhileSigningIn,
  metadataOf,
  quietIdleConnections,
} from '../../../../src/events/log/kafka/kafkajs-internals.ts';
import { scriptedFetchResponse } from '../../../support/scripted-kafka.ts';

/** Each private part of kafkajs that is used, by name. A red test here says what another version has changed. */

const CHANGED = 'kafkajs has changed what src/events/log/kafka/kafkajs-internals.ts uses of it';
const load = createRequire(import.meta.url);

interface Pool {
  readonly host: string;
  readonly send: (exchange: {
    readonly response: {
      decode(payload: Buffer): Promise<unknown>;
      parse(decoded: unknown): Promise<unknown>;
    };
  }) => Promise<unknown>;
}
type BrokerClass = new (options: { readonly connectionPool: Pool; readonly logger: unknown }) => Broker & {
  lookupRequest: unknown;
};
const BrokerOfKafkajs = load('kafkajs/src/broker') as BrokerClass;
const { lookup } = load('kafkajs/src/protocol/requests') as {
  readonly lookup: (versions: unknown) => unknown;
};

/** A broker of kafkajs whose connection answers with these bytes, in the given version of the request. */
function brokerAnswering(apiKey: number, version: number, payload: Buffer): Broker {
  const broker = new BrokerOfKafkajs({
    connectionPool: {
      host: 'localhost',
      send: async ({ response }) => response.parse(await response.decode(payload)),
    },
    logger: { namespace: () => ({ debug: () => undefined }) },
  });
  broker.lookupRequest = lookup({ [apiKey]: { minVersion: version, maxVersion: version } });
  return broker;
}

const FETCH = 1;
const METADATA = 3;

describe('kafkajs', () => {
  test('is the version that this was written for, in the manifest and where it is installed', () => {
    const manifest = new URL('../../../../package.json', import.meta.url);
    const { dependencies } = JSON.parse(readFileSync(manifest, 'utf8')) as {
      readonly dependencies: Readonly<Record<string, string>>;
    };
    const { version } = load('kafkajs/package.json') as { readonly version: string };
    expect([dependencies['kafkajs'], version], CHANGED).toEqual(['2.2.4', '2.2.4']);
  });

  test('a consumer makes its assigners at once, and hands them its cluster', () => {
    const kafka = new kafkajs.Kafka({ brokers: ['localhost:1'] });
    const cluster = clusterOf(kafka);
    const used = ['connect', 'refreshMetadata', 'getNodeIds', 'findBroker', 'findGroupCoordinator'] as const;
    for (const name of used) expect(cluster[name], `${CHANGED}: cluster.${name}`).toBeTypeOf('function');
  });

  test.each(['joinGroup', 'syncGroup', 'heartbeat', 'leaveGroup', 'listOffsets'])(
    'a broker has the method %s, which its types leave out',
    (name) => {
      const prototype = BrokerOfKafkajs.prototype as unknown as Readonly<Record<string, unknown>>;
      expect(prototype[name], `${CHANGED}: broker.${name}`).toBeTypeOf('function');
    },
  );

  test('broker.lookupRequest is where answers get their decoder: fetches are decoded by ours', async () => {
    const bytes = Buffer.from('batches as they are');
    const response = scriptedFetchResponse({ errorCode: 0, bytes }, 7, []);
    const request = { topics: [] };
    const { partitions } = await fetchFrom(brokerAnswering(FETCH, 11, response), request);
    expect(partitions, `${CHANGED}: broker.lookupRequest`).toMatchObject([{ partition: 0, end: 7, bytes }]);
    const old = fetchFrom(brokerAnswering(FETCH, 10, response), request);
    await expect(old, `${CHANGED}: the version of a request`).rejects.toMatchObject({
      type: 'UNSUPPORTED_VERSION',
    });
  });

  test('broker.lookupRequest is where answers get their parser: metadata keep their errors', async () => {
    // "Metadata Response (Version: 0)": no brokers, one topic "t" that is not known, no partitions.
    const payload = Buffer.from([0, 0, 0, 0, 0, 0, 0, 1, 0, 3, 0, 1, 0x74, 0, 0, 0, 0]);
    const found = await metadataOf(brokerAnswering(METADATA, 0, payload), 't');
    expect(found, `${CHANGED}: broker.lookupRequest`).toEqual({
      topicErrorCode: 3,
      topic: 't',
      partitionMetadata: [],
    });
  });

  test.each([
    [new kafkajs.KafkaJSConnectionError('Connection error: read ECONNRESET'), true],
    [new kafkajs.KafkaJSConnectionError('Connection closed by the server'), true],
    [new kafkajs.KafkaJSConnectionError('Closed connection'), true],
    [new kafkajs.KafkaJSProtocolError(new Error('Authentication failed, invalid credentials')), false],
  ])('a client that meets "%s" while it signs in says so in its text alone', async (met, isLost) => {
    const scram = load('kafkajs/src/broker/saslAuthenticator/scram512') as (
      sasl: object,
    ) => (parts: object) => { authenticate(): Promise<void> };
    const signingIn = scram({ username: 'user', password: 'secret' })({
      host: 'localhost',
      port: 1,
      logger: { debug: () => undefined, error: () => undefined },
      saslAuthenticate: () => Promise.reject(met),
    });
    const thrown: unknown = await signingIn.authenticate().catch((reason: unknown) => reason);
    expect(isLostWhileSigningIn(thrown), `${CHANGED}: ${String(thrown)}`).toBe(isLost);
    const failed = thrown as Error;
    const retried = Object.assign(new kafkajs.KafkaJSNonRetriableError(failed), { cause: failed });
    expect(isLostWhileSigningIn(retried)).toBe(isLost);
  });

  describe('RequestQueue.scheduleCheckPendingRequests', () => {
    interface Queue {
      pending: unknown[];
      checkPendingRequests(): void;
      destroy(): void;
    }
    const RequestQueue = load('kafkajs/src/network/requestQueue') as new (options: object) => Queue;
    afterEach(() => vi.restoreAllMocks());

    test('sets its timer where something waits, and none where nothing does', () => {
      quietIdleConnections();
      const timers = vi.spyOn(globalThis, 'setTimeout').mockReturnValue(undefined as never);
      const queue = new RequestQueue({ maxInFlightRequests: 0 });
      queue.checkPendingRequests();
      expect(timers, `${CHANGED}: RequestQueue sets timers elsewhere`).not.toHaveBeenCalled();
      queue.pending.push({});
      queue.checkPendingRequests();
      expect(timers, `${CHANGED}: RequestQueue.scheduleCheckPendingRequests`).toHaveBeenCalledTimes(1);
      queue.destroy();
    });
  });
});
