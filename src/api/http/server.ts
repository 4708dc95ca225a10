import { createServer, IncomingMessage, METHODS, ServerResponse, type Server } from 'node:http';
import type { Duplex } from 'node:stream';

import type { Express } from 'express';

import { listenOn, type Listening } from '../../platform/listening.ts';
import type { Api } from '../app.ts';
import {
  CHECKING_INTERVAL_MS,
  HEADERS_TIMEOUT_MS,
  KEEP_ALIVE_MS,
  MAX_CONNECTIONS,
  MAX_HEADER_BYTES,
  MAX_HEADER_FIELDS,
  REQUEST_TIMEOUT_MS,
} from './limits.ts';
import { problem, type Problem } from '../problems.ts';

/**
 * The public HTTP server. It answers whatever the parser refuses with the same error object and headers as any other
 * error, exactly once and after the answers that are still owed on that connection, and then closes it.
 */

export interface ListenApiOptions {
  readonly port: number;
  /** null for every address of the machine. */
  readonly host: string | null;
  /** How long requests in hand may take after the stop, in milliseconds. Default 10,000. */
  readonly drainMs?: number;
  readonly limits?: Partial<Limits>;
}

/** In milliseconds; the defaults are those of limits.ts. */
export interface Limits {
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly checkingIntervalMs: number;
  /** How long a connection may stand idle between two requests. */
  readonly keepAliveMs: number;
}

/** @throws {PermanentError} where the port or the address cannot be used. */
export async function listen(api: Api, options: ListenApiOptions): Promise<Listening> {
  const { port, host, limits = {} } = options;
  const {
    headersTimeoutMs = HEADERS_TIMEOUT_MS,
    requestTimeoutMs = REQUEST_TIMEOUT_MS,
    checkingIntervalMs = CHECKING_INTERVAL_MS,
    keepAliveMs = KEEP_ALIVE_MS,
  } = limits;
  const server = createServer({
    ...classesOf(api.app),
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: checkingIntervalMs,
    keepAliveTimeout: keepAliveMs,
    maxHeaderSize: MAX_HEADER_BYTES,
    // Node would answer without our body and headers; refuseMessage looks instead.
    requireHostHeader: false,
  });
  server.maxConnections = MAX_CONNECTIONS;
  // Who has said all that it wants to say, and waits for the answer, gets it. A property of Node that its types lack.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.timeout = requestTimeoutMs;
  const unanswered = trackResponses(server);
  server.on('request', api.handle);
  for (const event of ['checkContinue', 'checkExpectation']) {
    server.on(event, (request, response) => server.emit('request', request, response));
  }
  refuseUnparsed(server, api, unanswered, requestTimeoutMs);
  cutSlowReaders(unanswered, { requestTimeoutMs, checkingIntervalMs }, server);
  const { drainMs } = options;
  return await listenOn(server, {
    port,
    host,
    variable: 'PORT',
    ...(drainMs === undefined ? {} : { drainMs }),
  });
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

/** Responses that have not been handed over whole, with the moment at which their request arrived. */
type Unanswered = Map<ServerResponse, number>;

function trackResponses(server: Server): Unanswered {
  const unanswered: Unanswered = new Map();
  server.on('request', (_request: IncomingMessage, response: ServerResponse) => {
    unanswered.set(response, performance.now());
    response.once('close', () => unanswered.delete(response));
  });
  return unanswered;
}

/** A reader who takes a response a byte at a time would hold its memory for hours. */
function cutSlowReaders(
  unanswered: Unanswered,
  { requestTimeoutMs, checkingIntervalMs }: Pick<Limits, 'requestTimeoutMs' | 'checkingIntervalMs'>,
  server: Server,
): void {
  const timer = setInterval(() => {
    const oldest = performance.now() - requestTimeoutMs;
    for (const [response, since] of unanswered) if (since < oldest) response.destroy();
  }, checkingIntervalMs);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}

function refuseUnparsed(server: Server, api: Api, unanswered: Unanswered, requestTimeoutMs: number): void {
  const seconds = Math.round(requestTimeoutMs / 1000);

  server.on('clientError', (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket: Duplex) => {
    refuse(socket, problemOf(error, seconds), error.rawPacket?.indexOf('HEAD ') === 0 ? 'HEAD' : null);
  });
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    refuse(socket, problem('wrong_method'), 'CONNECT');
  });

  function refuse(socket: Duplex, refused: Problem, method: string | null): void {
    // After a reset there is nobody to tell; after the last word, nothing more to say.
    if (!socket.writable) {
      if (!socket.writableEnded) socket.destroy();
      return;
    }
    const owed = [...unanswered.keys()].findLast((response) => response.req.socket === socket);
    if (!owed) {
      end(socket, refused, method);
      return;
    }
    // A response that closes the connection already is the last word on it.
    owed.once('close', () => {
      // What the packet begins with was answered; what it was that is refused, nobody knows.
      if (socket.writable) end(socket, refused, method === 'HEAD' ? null : method);
    });
  }

  function end(socket: Duplex, refused: Problem, method: string | null): void {
    const { requestId, status, head, body } = api.refusals(refused);
    socket.end(method === 'HEAD' ? head : head + body, () => socket.destroy());
    api.tell({ requestId, method, route: null, status, cost: 0, durationMs: 0, keyId: null });
  }
}

/** Error codes of Node and of its parser, llhttp. */
function problemOf(error: NodeJS.ErrnoException & { rawPacket?: Buffer }, seconds: number): Problem {
  const limits = { bytes: MAX_HEADER_BYTES, fields: MAX_HEADER_FIELDS };
  switch (error.code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return problem('slow_request', { seconds });
    case 'HPE_HEADER_OVERFLOW':
      return problem(isWithinRequestLine(error.rawPacket) ? 'long_address' : 'long_headers', limits);
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return problem('unwanted_body');
    case 'HPE_INVALID_METHOD':
      return problem(hasUnknownMethod(error.rawPacket) ? 'wrong_method' : 'broken_request');
    default:
      return problem('broken_request');
  }
}

/**
 * Whether a packet begins with a request line in form whose method the parser does not know. One that it knows was
 * answered: then the fault is in what follows.
 */
function hasUnknownMethod(packet: Buffer | undefined): boolean {
  const start = packet?.subarray(0, MAX_HEADER_BYTES).toString('latin1') ?? '';
  const [, method] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) [^ \r\n]+ HTTP\/1\.[01]\r\n/.exec(start) ?? [];
  return method !== undefined && !METHODS.includes(method);
}

/** Whether the packet that broke the limit is a request line without an end: then it is the address that is too long. */
function isWithinRequestLine(packet: Buffer | undefined): boolean {
  if (!packet) return false;
  const start = packet.subarray(0, MAX_HEADER_BYTES).toString('latin1');
  return /^[A-Z]+ [^\r\n]+$/.test(start);
}
