import { readFileSync } from 'node:fs';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';

import { messageOf, PermanentError } from '../../../platform/errors.ts';
import type { TlsFiles } from './address.ts';

/** Opens a connection in the place of `net.connect`. */
export type OpenSocket = (place: { readonly host: string; readonly port: number }) => Socket;

export function connectSocket(
  place: { readonly host: string; readonly port: number },
  tls: ConnectionOptions | undefined,
  open: OpenSocket | undefined,
): Socket {
  if (!tls) return open ? open(place) : connectTcp(place);
  const servername = isIP(place.host) ? {} : { servername: place.host };
  return connectTls({ ...place, ...servername, ...tls, ...(open ? { socket: open(place) } : {}) });
}

export function readTls({ ca, cert, key }: TlsFiles): ConnectionOptions {
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
