import { createRequire } from 'node:module';

import kafkajs, { type Broker, type Cluster, type Kafka, type KafkaConfig } from 'kafkajs';

import { readFetchResponse, type FetchResponse } from './fetch-response.ts';

/**
 * What is used of kafkajs beyond its documented surface, all of it here. Its version is exact and the last one there
 * is; the contract suite runs on a real broker and would notice.
 */

// By its default export: Node finds only some of its names.
export const { AssignerProtocol } = kafkajs;
export const TOPIC_RESOURCE = kafkajs.ConfigResourceTypes.TOPIC;

export function newKafka(config: KafkaConfig): Kafka {
  return new kafkajs.Kafka({ ...config, logLevel: kafkajs.logLevel.WARN });
}

/** A broker has these methods too: kafkajs itself calls them, its types leave them out. */
export interface FullBroker extends Broker {
  joinGroup(request: {
    readonly groupId: string;
    readonly sessionTimeout: number;
    readonly rebalanceTimeout: number;
    readonly memberId: string;
    readonly groupProtocols: readonly { readonly name: string; readonly metadata: Buffer }[];
  }): Promise<JoinedGroup>;
  syncGroup(request: {
    readonly groupId: string;
    readonly generationId: number;
    readonly memberId: string;
    readonly groupAssignment: readonly { readonly memberId: string; readonly memberAssignment: Buffer }[];
  }): Promise<{ readonly memberAssignment: Buffer }>;
  heartbeat(request: {
    readonly groupId: string;
    readonly groupGenerationId: number;
    readonly memberId: string;
  }): Promise<unknown>;
  leaveGroup(request: { readonly groupId: string; readonly memberId: string }): Promise<unknown>;
  listOffsets(request: {
    readonly isolationLevel: number;
    readonly topics: readonly {
      readonly topic: string;
      readonly partitions: readonly { readonly partition: number; readonly timestamp: number }[];
    }[];
  }): Promise<{
    readonly responses: readonly {
      readonly partitions: readonly { readonly partition: number; readonly offset: string }[];
    }[];
  }>;
  lookupRequest(apiKey: number, definition: unknown): (request: unknown) => Exchange;
}

export interface JoinedGroup {
  readonly generationId: number;
  readonly leaderId: string;
  readonly memberId: string;
  /** Of everybody, and told to the leader alone. */
  readonly members: readonly { readonly memberId: string; readonly memberMetadata: Buffer }[];
}

interface Exchange {
  readonly request: { readonly apiVersion: number };
  readonly response: { decode(payload: Buffer): Promise<unknown>; parse(decoded: unknown): Promise<unknown> };
  readonly [other: string]: unknown;
}

/** What `Broker.metadata` decodes, errors included. */
export interface TopicMetadata {
  readonly topicErrorCode: number;
  readonly topic: string;
  readonly partitionMetadata: readonly {
    readonly partitionErrorCode: number;
    readonly partitionId: number;
    readonly leader: number;
    /** The replicas that are in step. */
    readonly isr: readonly number[];
  }[];
}

export const ERROR = {
  none: 0,
  offsetOutOfRange: 1,
  corruptMessage: 2,
  unknownTopicOrPartition: 3,
  invalidTopic: 17,
  topicAuthorizationFailed: 29,
} as const;

/** The Fetch version whose answers are read here; kafkajs has none newer. */
const FETCH_VERSION = 11;

export async function findBroker(cluster: Cluster, nodeId: number | string): Promise<FullBroker> {
  return (await cluster.findBroker({ nodeId: String(nodeId) })) as FullBroker;
}

/** Fetches, with a decoder of ours (see record-batches.ts), and with errors that stay with their partitions. */
export async function fetchFrom(
  broker: FullBroker,
  request: Parameters<Broker['fetch']>[0],
): Promise<FetchResponse> {
  const reading = decodingWith(broker, ({ request: { apiVersion } }) => {
    if (apiVersion !== FETCH_VERSION)
      throw Object.assign(new Error('the broker is too old'), { type: 'UNSUPPORTED_VERSION' });
    return { decode: async (payload) => readFetchResponse(payload), parse: async (decoded) => decoded };
  });
  return (await reading.fetch(request)) as FetchResponse;
}

/** A topic's partitions, with an error code in the place of an exception. */
export async function metadataOf(broker: FullBroker, topic: string): Promise<TopicMetadata | undefined> {
  const reading = decodingWith(broker, ({ response }) => ({
    decode: (payload) => response.decode(payload),
    parse: async (decoded) => decoded,
  }));
  const { topicMetadata } = (await reading.metadata([topic])) as unknown as {
    readonly topicMetadata: readonly TopicMetadata[];
  };
  return topicMetadata.find((found) => found.topic === topic);
}

/** The same broker, its answers read in another way. */
function decodingWith(
  broker: FullBroker,
  response: (exchange: Exchange) => Exchange['response'],
): FullBroker {
  const lookupRequest: FullBroker['lookupRequest'] = (apiKey, definition) => {
    const exchangeOf = broker.lookupRequest(apiKey, definition);
    return (request) => {
      const exchange = exchangeOf(request);
      return { ...exchange, response: response(exchange) };
    };
  };
  return Object.create(broker, { lookupRequest: { value: lookupRequest } }) as FullBroker;
}

interface RequestQueue {
  readonly pending: readonly unknown[];
  scheduleCheckPendingRequests: (this: RequestQueue) => void;
}

let isQuiet = false;

/**
 * Every connection of kafkajs looks at its queue of unsent requests about once a millisecond for as long as it lives:
 * its timer is set to the past. Where nothing waits there is nothing to look for.
 */
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
