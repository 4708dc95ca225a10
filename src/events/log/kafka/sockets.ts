import { readFileSync } from 'node:fs';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';

import type { ISocketFactoryArgs } from 'kafkajs';

import { messageOf, PermanentError } from '../../../platform/errors.ts';
import type { TlsFiles } from './address.ts';

/** Opens a connection in the place of `net.connect`. */
export type OpenSocket = (place: { readonly host: string; readonly port: number }) => Socket;

/** The sockets of one kafkajs client; `tls` is null without TLS. @throws {PermanentError} where a certificate cannot be read. */
export function openSockets(files: TlsFiles | null, open?: OpenSocket) {
  const sockets = new Set<Socket>();
  const tls = files && readTls(files);
  let closed = false;
  return {
    tls,
    open: ({ host, port, onConnect }: ISocketFactoryArgs): Socket => {
      const opened = connectSocket({ host, port }, tls, open);
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

function connectSocket(
  place: { readonly host: string; readonly port: number },
  tls: ConnectionOptions | null,
  open: OpenSocket | undefined,
): Socket {
  if (!tls) return open ? open(place) : connectTcp(place);
  const servername = isIP(place.host) ? {} : { servername: place.host };
  return connectTls({ ...place, ...servername, ...tls, ...(open ? { socket: open(place) } : {}) });
}

function readTls({ ca, cert, key }: TlsFiles): ConnectionOptions {
  return {
    ...(ca === null ? {} : { ca: readPem(ca) }),
    ...(cert === null ? {} : { cert: readPem(cert) }),
    ...(key === null ? {} : { key: readPem(key) }),
  };
}

function readPem(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (thrown) {
    throw new PermanentError(
      `${path} cannot be read: ${messageOf(thrown)}. Correct the path in CATALOG_LOG_URL.`,
      { cause: thrown },
    );
  }
}
