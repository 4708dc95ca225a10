import kafkajs, { type Kafka, type SASLOptions } from 'kafkajs';

import type { Logger } from '../../../platform/logger.ts';
import type { KafkaAddress } from './address.ts';
import { openSockets, type OpenSocket } from './sockets.ts';
import { quietIdleConnections } from './vendor.ts';

export interface KafkaConnectionOptions {
  readonly address: KafkaAddress;
  readonly logger?: Pick<Logger, 'debug'> | undefined;
  /** Opens a connection in the place of `net.connect`. */
  readonly socket?: OpenSocket | undefined;
  /** How long one request may take, in milliseconds. */
  readonly requestMs: number;
}

/** A kafkajs client and all of its sockets. */
export interface Connections {
  readonly kafka: Kafka;
  /**
   * Ends every connection at once. kafkajs itself would wait for the answers of whatever it has asked, and a broker
   * that is gone gives none.
   */
  close(): void;
}

/** Nothing is connected before it is used. */
export function openConnections({ address, logger, socket, requestMs }: KafkaConnectionOptions): Connections {
  quietIdleConnections();
  const sockets = openSockets(address.tls, socket);
  // By its default export: Node finds only some of its names.
  const kafka = new kafkajs.Kafka({
    clientId: 'catalog-read-api',
    logLevel: kafkajs.logLevel.WARN,
    brokers: fromAnyOf(address.brokers),
    ...(sockets.tls ? { ssl: sockets.tls } : {}),
    ...(address.sasl ? { sasl: { ...address.sasl } as SASLOptions } : {}),
    socketFactory: sockets.open,
    connectionTimeout: Math.min(5000, requestMs),
    authenticationTimeout: requestMs,
    requestTimeout: requestMs,
    // Enough to try every broker that the address names; the callers of this client have a patience of their own.
    retry: { retries: address.brokers.length - 1, initialRetryTime: 100, maxRetryTime: 500 },
    logCreator:
      () =>
      ({ namespace, log }) => {
        // Its errors come to us as exceptions, and are told where they matter.
        logger?.debug({ namespace, kafkajs: log.message }, 'kafkajs');
      },
  });
  return { kafka, close: sockets.close };
}

/** kafkajs asks the first one, and no other where that one is reached and silent: another attempt begins elsewhere. */
function fromAnyOf(brokers: readonly string[]): string[] {
  const first = Math.floor(Math.random() * brokers.length);
  return [...brokers.slice(first), ...brokers.slice(0, first)];
}
