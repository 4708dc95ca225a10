import { readFileSync } from 'node:fs';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

import kafkajs, { type Kafka, type SASLOptions, type ISocketFactoryArgs } from 'kafkajs';

import type { Logger } from '../../../platform/logger.ts';
import type { KafkaAddress, TlsFiles } from './address.ts';
import { quietIdleConnections } from './kafkajs-internals.ts';
import { messageOf, PermanentError } from '../../../platform/errors.ts';

export interface KafkaConnectionOptions {
  readonly address: KafkaAddress;
  readonly logger?: Pick<Logger, 'debug'> | undefined;
  readonly socket?: OpenSocket | undefined;
  /** How long one request may take, in milliseconds. */
  readonly requestMs: number;
}

/**
 * A kafkajs client and all of its sockets. `close` ends every connection at once: kafkajs itself would wait for the answers
 * of whatever it has asked, and a broker that is gone gives none.
 */
export interface KafkajsClient {
  readonly kafka: Kafka;
  close(): void;
}

/** Nothing is connected before it is used. @throws {PermanentError} where a certificate cannot be read. */
export function openKafkajsClient({
  address,
  logger,
  socket,
  requestMs,
}: KafkaConnectionOptions): KafkajsClient {
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

/** Opens a connection in the place of `net.connect`. */
export type OpenSocket = (place: Pick<ISocketFactoryArgs, 'host' | 'port'>) => Socket;

/** The sockets of one kafkajs client; `tls` is null without TLS. */
function openSockets(files: TlsFiles | null, open?: OpenSocket) {
  const sockets = new Set<Socket>();
  const tls = files && { ca: readPem(files.ca), cert: readPem(files.cert), key: readPem(files.key) };
  let closed = false;
  return {
    tls,
    open: ({ host, port, onConnect }: ISocketFactoryArgs): Socket => {
      const plain = open?.({ host, port });
      const servername = isIP(host) ? {} : { servername: host };
      const opened = tls
        ? connectTls({ host, port, ...servername, ...tls, ...(plain && { socket: plain }) })
        : (plain ?? connectTcp({ host, port }));
      opened.once(tls ? 'secureConnect' : 'connect', onConnect);
      opened.setKeepAlive(true, 30_000);
      opened.setNoDelay(true);
      sockets.add(opened);
      opened.once('close', () => sockets.delete(opened));
      // kafkajs attaches its own listeners in this same turn; a client that has been closed opens nothing more.
      if (closed) setImmediate(() => opened.destroy(new Error('the client was closed')));
      return opened;
    },
    close: (): void => {
      closed = true;
      for (const each of sockets) each.destroy(new Error('the client was closed'));
    },
  };
}

function readPem(path: string | null): string | undefined {
  try {
    return path === null ? undefined : readFileSync(path, 'utf8');
  } catch (cause) {
    throw new PermanentError(
      `${path} cannot be read: ${messageOf(cause)}. Correct the path in CATALOG_LOG_URL.`,
      { cause },
    );
  }
}
