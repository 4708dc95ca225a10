import type { Broker } from 'kafkajs';

import { FETCH_VERSION, type FetchResponse, readFetchResponse } from './protocol.ts';
import { decodingWith } from './vendor.ts';

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

/** Partitions of topics, by topic, with error codes in the place of an exception. */
export async function metadataOf(
  broker: Broker,
  topics: readonly string[],
): Promise<ReadonlyMap<string, TopicMetadata>> {
  const reading = decodingWith(broker, ({ response }) => ({
    decode: (payload) => response.decode(payload),
    parse: async (decoded) => decoded,
  }));
  const { topicMetadata } = (await reading.metadata([...topics])) as unknown as {
    readonly topicMetadata: readonly TopicMetadata[];
  };
  return new Map(topicMetadata.map((found) => [found.topic, found]));
}

/** Fetches, with a decoder of ours and with errors that stay with their partitions. */
export async function fetchFrom(
  broker: Broker,
  request: Parameters<Broker['fetch']>[0],
): Promise<FetchResponse> {
  const reading = decodingWith(broker, ({ request: { apiVersion } }) => {
    if (apiVersion !== FETCH_VERSION) throw named('UNSUPPORTED_VERSION', 'the broker is too old');
    return { decode: async (payload) => readFetchResponse(payload), parse: async (decoded) => decoded };
  });
  return (await reading.fetch(request)) as FetchResponse;
}

/** An error as kafkajs would throw it. */
export function named(type: string, message: string): Error {
  return Object.assign(new Error(message), { type });
}
