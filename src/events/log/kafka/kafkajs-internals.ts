import { createRequire } from 'node:module';

import type { Broker, Cluster, Kafka } from 'kafkajs';

import { PermanentError } from '../../../platform/errors.ts';
import { FETCH_VERSION, type FetchResponse, readFetchResponse } from './fetch-response.ts';

/*
 * Every private part of kafkajs 2.2.4 that is used, and why; all else that we use of it is documented or in its types.
 * test/unit/events/log/kafka-vendor.test.ts names each of them and fails where a version has changed it.
 *
 *   a consumer makes its assigners at once    the only public way to its brokers (`Cluster` is in the types)
 *   broker.joinGroup, syncGroup,              the types leave them out; kafkajs's own consumer, which alone calls them,
 *     heartbeat, leaveGroup                     cannot keep a membership as ours is kept (group-membership.ts)
 *   broker.listOffsets                        the types leave it out; what they have shows one isolation level only
 *   broker.lookupRequest                      to decode two answers ourselves: its decoders hide empty batches and
 *                                               checksums, and throw where one partition of many has an error
 *   the text of a KafkaJSSASLAuthenticationError  it hides its cause: a broker that dies while a client signs in is
 *                                               otherwise told from wrong credentials by nothing
 *   RequestQueue.scheduleCheckPendingRequests its timer is set to the past: each idle connection wakes 1,000 times a second
 */

/** The brokers behind a consumer that never runs. */
export function clusterOf(kafka: Kafka): Cluster {
  let handed: Cluster | undefined;
  kafka.consumer({
    groupId: 'none',
    allowAutoTopicCreation: false,
    partitionAssigners: [
      ({ cluster }) => {
        handed = cluster;
        return {
          name: 'none',
          version: 0,
          assign: async () => [],
          protocol: () => ({ name: 'none', metadata: Buffer.alloc(0) }),
        };
      },
    ],
  });
  if (!handed) throw new PermanentError('kafkajs hands its cluster to no assigner: it is not version 2.2.4.');
  return handed;
}

/** The same broker, its answers read in another way. */
function decodingWith(broker: Broker, response: (exchange: Exchange) => Exchange['response']): FullBroker {
  const full = broker as FullBroker;
  const lookupRequest: FullBroker['lookupRequest'] = (apiKey, definition) => {
    const exchangeOf = full.lookupRequest(apiKey, definition);
    return (request) => {
      const exchange = exchangeOf(request);
      return { ...exchange, response: response(exchange) };
    };
  };
  return Object.create(broker, { lookupRequest: { value: lookupRequest } }) as FullBroker;
}

/** What `Broker.metadata` decodes, errors included. */
export interface TopicMetadata {
  readonly topicErrorCode: number;
  readonly topic: string;
  readonly partitionMetadata: readonly {
    readonly partitionId: number;
    readonly leader: number;
    /** The replicas that are in step. */
    readonly isr: readonly number[];
  }[];
}

/** The partitions of a topic, with error codes in the place of an exception. */
export async function metadataOf(broker: Broker, topic: string): Promise<TopicMetadata | undefined> {
  const reading = decodingWith(broker, ({ response }) => ({
    decode: (payload) => response.decode(payload),
    parse: async (decoded) => decoded,
  }));
  const { topicMetadata } = (await reading.metadata([topic])) as unknown as {
    readonly topicMetadata: readonly TopicMetadata[];
  };
  return topicMetadata.find((found) => found.topic === topic);
}

/** Fetches, with a decoder of ours and with errors that stay with their partitions. */
export async function fetchFrom(
  broker: Broker,
  request: Parameters<Broker['fetch']>[0],
): Promise<FetchResponse> {
  const reading = decodingWith(broker, ({ request: { apiVersion } }) => {
    if (apiVersion !== FETCH_VERSION) throw vendorError('UNSUPPORTED_VERSION', 'the broker is too old');
    return { decode: async (payload) => readFetchResponse(payload), parse: async (decoded) => decoded };
  });
  return (await reading.fetch(request)) as FetchResponse;
}

/** An error as kafkajs would throw it. */
export function vendorError(type: string, message: string): Error {
  return Object.assign(new Error(message), { type });
}

/** How the errors of a connection begin in kafkajs: those that say nothing of a password. */
const OF_A_CONNECTION =
  /: (?:Connection (?:error|timeout|closed)|Closed connection|Not connected|Failed to connect|Request .* timed out)/u;

/** Whether a connection ended while a client signed in: kafkajs calls that a failed authentication, too. */
export function isLostWhileSigningIn(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  if (thrown.name !== 'KafkaJSSASLAuthenticationError') return isLostWhileSigningIn(thrown.cause);
  return OF_A_CONNECTION.test(thrown.message);
}

interface RequestQueue {
  readonly pending: readonly unknown[];
  scheduleCheckPendingRequests: (this: RequestQueue) => void;
}

let isQuiet = false;

/** Lets a connection look at its queue of unsent requests only while there are some. Once for the process. */
export function quietIdleConnections(): void {
  if (isQuiet) return;
  isQuiet = true;
  const load = createRequire(import.meta.url);
  const { prototype } = load('kafkajs/src/network/requestQueue') as { readonly prototype: RequestQueue };
  const schedule = prototype.scheduleCheckPendingRequests;
  prototype.scheduleCheckPendingRequests = function scheduleWhereSomethingWaits() {
    if (this.pending.length > 0) schedule.call(this);
  };
}

/** What of a broker the types leave out. */
export interface FullBroker extends Broker {
  joinGroup(request: object): Promise<JoinedGroup>;
  syncGroup(request: object): Promise<{ readonly memberAssignment: Buffer }>;
  heartbeat(request: object): Promise<unknown>;
  leaveGroup(request: object): Promise<unknown>;
  listOffsets(request: object): Promise<{ readonly responses: readonly ListedTopic[] }>;
  lookupRequest(apiKey: number, definition: unknown): (request: unknown) => Exchange;
}

export interface JoinedGroup {
  readonly generationId: number;
  readonly leaderId: string;
  readonly memberId: string;
  /** All members; only the leader is told. */
  readonly members: readonly { readonly memberId: string; readonly memberMetadata: Buffer }[];
}

interface ListedTopic {
  readonly partitions: readonly { readonly partition: number; readonly offset: string }[];
}

/** A request in the version that both sides know, and how its answer is read. */
interface Exchange {
  readonly request: { readonly apiVersion: number };
  readonly response: { decode(payload: Buffer): Promise<unknown>; parse(decoded: unknown): Promise<unknown> };
  readonly [other: string]: unknown;
}
