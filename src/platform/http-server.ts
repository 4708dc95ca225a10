import type { Server } from 'node:http';
import type { Socket } from 'node:net';

import { codeOf, PermanentError } from './errors.ts';

/** A server that listens. Disposing it stops accepting, finishes what is in hand, and closes every connection. */
export interface RunningServer extends AsyncDisposable {
  readonly port: number;
  /** `http://HOST:PORT`, with `localhost` where it listens on every address. */
  readonly url: string;
}

export interface ListenOptions {
  /** 0 for any free one. */
  readonly port: number;
  /** null for every address of the machine. */
  readonly host: string | null;
  /** The variable that sets the port, for the message when it is in use. */
  readonly variable: string;
  /** How long requests in hand may take after the stop, in milliseconds. Default 10,000. */
  readonly drainMs?: number | undefined;
}

/** @throws {PermanentError} where the port or the address cannot be used. */
export async function listenOn(server: Server, options: ListenOptions): Promise<RunningServer> {
  const { host, drainMs = 10_000 } = options;
  spareUnsent(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => reject(explain(cause, options)));
    server.listen({ port: options.port, ...(host === null ? {} : { host }) }, resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : options.port;
  return {
    port,
    url: `http://${hostInUrl(host)}:${port}`,
    [Symbol.asyncDispose]: () => drain(server, drainMs),
  };
}

function explain(cause: Error, { port, host, variable }: ListenOptions): PermanentError {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} is in use. Stop the other process or set ${variable} to another one.`,
    EACCES: `Port ${port} may not be used by this user. Set ${variable} to one above 1023.`,
  };
  const otherwise = `Cannot listen on ${host ?? 'any address'}, port ${port} (${cause.message}). Check the address and ${variable}.`;
  return new PermanentError(reasons[codeOf(cause) ?? ''] ?? otherwise, { cause });
}

function hostInUrl(host: string | null): string {
  if (host === null || host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

/**
 * Node takes a connection for idle as soon as its answer has ended, and cuts it where a slow reader has not got all of it. So
 * those alone are closed as idle that are owed nothing and have nothing left to send.
 */
function spareUnsent(server: Server): void {
  const owed = new Map<Socket, number>();
  server.on('connection', (socket) => {
    owed.set(socket, 0);
    socket.once('close', () => owed.delete(socket));
  });
  server.on('request', ({ socket }, response) => {
    const add = (count: number): void => {
      if (owed.has(socket)) owed.set(socket, (owed.get(socket) ?? 0) + count);
    };
    add(1);
    response.once('close', () => add(-1));
  });
  server.closeIdleConnections = () => {
    for (const [socket, answers] of owed) if (answers === 0 && socket.writableLength === 0) socket.destroy();
  };
}

/** How often connections that have fallen idle are closed while the last requests end, in milliseconds. */
const SWEEP_MS = 20;

async function drain(server: Server, drainMs: number): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  const end = setTimeout(() => server.closeAllConnections(), drainMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(end);
}
