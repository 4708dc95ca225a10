import { createServer, IncomingMessage, ServerResponse, type Server } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

import type { Express } from 'express';

import { listenOn, type Listening } from '../../platform/listening.ts';
import type { Api } from '../app.ts';
import { createConnections, type Connections } from './connections.ts';
import { LIMITS, MAX_CONNECTIONS, MAX_HEADER_BYTES } from './limits.ts';
import { DEFAULT_LOCALE } from '../messages/texts.ts';
import { problem } from '../problems.ts';
import { type ParserError, type Unparsed, unparsedOf } from './refusals.ts';

/**
 * The public HTTP server. It answers what the parser refuses with the error object and headers of every error, exactly
 * once and after the answers that are still owed on that connection, and then closes it.
 */

export interface ListenApiOptions {
  readonly port: number;
  /** null for every address of the machine. */
  readonly host: string | null;
  /** How long requests in hand may take after the stop, in milliseconds. Default 10,000. */
  readonly drainMs?: number;
  readonly limits?: Partial<typeof LIMITS>;
}

/** @throws {PermanentError} where the port or the address cannot be used. */
export async function listen(api: Api, options: ListenApiOptions): Promise<Listening> {
  const { port, host, drainMs } = options;
  const limits = { ...LIMITS, ...options.limits };
  const { requestTimeoutMs, checkingIntervalMs } = limits;
  const server = createServer({
    ...classesOf(api.app),
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: checkingIntervalMs,
    keepAliveTimeout: limits.keepAliveMs,
    maxHeaderSize: MAX_HEADER_BYTES,
    // Node would answer without our body and headers; refuseMessage looks instead.
    requireHostHeader: false,
  });
  server.maxConnections = MAX_CONNECTIONS;
  // A client that has ended its side and waits for the answer gets it. A property of Node that its types lack.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.timeout = requestTimeoutMs;
  const connections = createConnections(limits);
  server.on('request', (request, response) => {
    if (!connections.admit(request, response)) return;
    api.handle(request, response);
    // An answer that closes the connection says so before it waits for anything: what follows on it is no request.
    if (!response.shouldKeepAlive) connections.endAfter(request);
  });
  for (const event of ['checkContinue', 'checkExpectation']) {
    server.on(event, (request, response) => server.emit('request', request, response));
  }
  server.on('timeout', (socket) => connections.cutIdle(socket));
  refuseUnparsed(server, api, connections, requestTimeoutMs);
  const looking = setInterval(() => connections.cutSlow(), checkingIntervalMs);
  looking.unref();
  server.once('close', () => {
    clearInterval(looking);
    api.endLog();
  });
  return await listenOn(server, { port, host, variable: 'PORT', drainMs });
}

/**
 * Express gives each request and response its own prototypes, which costs Node a good part of a request's time. Objects
 * that are born with them are left as they are.
 */
function classesOf(app: Express) {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse extends ServerResponse {}
  Object.setPrototypeOf(ExpressRequest.prototype, app.request);
  Object.setPrototypeOf(ExpressResponse.prototype, app.response);
  Object.assign(app, { request: ExpressRequest.prototype, response: ExpressResponse.prototype });
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}

function refuseUnparsed(server: Server, api: Api, connections: Connections, requestTimeoutMs: number): void {
  const seconds = Math.round(requestTimeoutMs / 1000);

  server.on('clientError', (error: ParserError, socket: Duplex) => {
    refuse(socket, unparsedOf(error, seconds));
  });
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    refuse(socket, { refused: problem('wrong_method'), method: 'CONNECT', locale: DEFAULT_LOCALE });
  });

  function refuse(socket: Duplex, refusal: Unparsed): void {
    // After a reset there is nobody to tell; after the last word, nothing more to say.
    if (!socket.writable) {
      if (!socket.writableEnded) socket.destroy();
      return;
    }
    const owed = connections.lastOwed(socket);
    if (!owed) {
      end(socket, refusal);
      return;
    }
    // A response that closes the connection already is the last word on it.
    owed.once('close', () => {
      // What the packet begins with was answered; what it was that is refused, nobody knows.
      const { refused, method } = refusal;
      const known = method === 'HEAD' ? null : method;
      if (socket.writable) end(socket, { refused, method: known, locale: DEFAULT_LOCALE });
    });
  }

  function end(socket: Duplex, { refused, method, locale }: Unparsed): void {
    const { requestId, status, head, body } = api.refusals(refused, locale);
    socket.end(method === 'HEAD' ? head : head + body, () => socket.destroy());
    // Its other end, as long as it is there.
    const address = socket instanceof Socket ? (socket.remoteAddress ?? null) : null;
    api.tell({ requestId, method, route: null, status, cost: 0, durationMs: 0, keyId: null, address });
  }
}
