import { createServer, IncomingMessage, METHODS, ServerResponse, type Server } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

import type { Express } from 'express';

import { listenOn, type Listening } from '../../platform/listening.ts';
import type { Api } from '../app.ts';
import { createConnections, type Connections } from './connections.ts';
import {
  CHECKING_INTERVAL_MS,
  HEADERS_TIMEOUT_MS,
  KEEP_ALIVE_MS,
  MAX_CONNECTIONS,
  MAX_HEADER_BYTES,
  MAX_HEADER_FIELDS,
  MAX_UNREAD_BYTES,
  REQUEST_TIMEOUT_MS,
} from './limits.ts';
import { DEFAULT_LOCALE, LOCALES, type Locale } from '../messages/texts.ts';
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

/** Times in milliseconds; the defaults are those of limits.ts. */
export interface Limits {
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly checkingIntervalMs: number;
  /** How long a connection may stand idle between two requests. */
  readonly keepAliveMs: number;
  /** Bytes that all connections together may have been sent without a sign that they were read. */
  readonly maxUnreadBytes: number;
}

/** @throws {PermanentError} where the port or the address cannot be used. */
export async function listen(api: Api, options: ListenApiOptions): Promise<Listening> {
  const { port, host, limits = {} } = options;
  const {
    headersTimeoutMs = HEADERS_TIMEOUT_MS,
    requestTimeoutMs = REQUEST_TIMEOUT_MS,
    checkingIntervalMs = CHECKING_INTERVAL_MS,
    keepAliveMs = KEEP_ALIVE_MS,
    maxUnreadBytes = MAX_UNREAD_BYTES,
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
  const connections = createConnections({ requestTimeoutMs, maxUnreadBytes });
  server.on('request', (request, response) => {
    if (!connections.admit(request, response)) return;
    api.handle(request, response);
    // Whatever closes the connection says so before it waits for anything: what follows on it is no request.
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

function refuseUnparsed(server: Server, api: Api, connections: Connections, requestTimeoutMs: number): void {
  const seconds = Math.round(requestTimeoutMs / 1000);

  server.on('clientError', (error: ParserError, socket: Duplex) => {
    const method = error.rawPacket?.indexOf('HEAD ') === 0 ? 'HEAD' : null;
    refuse(socket, { refused: problemOf(error, seconds), method, locale: localeOfPacket(error.rawPacket) });
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
    const address = addressOf(socket);
    api.tell({ requestId, method, route: null, status, cost: 0, durationMs: 0, keyId: null, address });
  }
}

/** Its other end, as long as it is there. */
function addressOf(socket: Duplex): string | null {
  return socket instanceof Socket ? (socket.remoteAddress ?? null) : null;
}

/** What is known of a request that never became one. */
interface Unparsed {
  readonly refused: Problem;
  readonly method: string | null;
  readonly locale: Locale;
}

/** What Node and its parser, llhttp, say of a request that they refuse. */
type ParserError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer; readonly bytesParsed?: number };

function problemOf(error: ParserError, seconds: number): Problem {
  const limits = { bytes: MAX_HEADER_BYTES, fields: MAX_HEADER_FIELDS };
  switch (error.code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return problem('slow_request', { seconds });
    case 'HPE_HEADER_OVERFLOW':
      return problem(isWithinRequestLine(error.rawPacket) ? 'long_address' : 'long_headers', limits);
    case 'HPE_INVALID_URL':
      return problem(isOutsideAscii(error) ? 'unencoded_address' : 'broken_request');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return problem('unwanted_body');
    case 'HPE_INVALID_METHOD':
      return problem(hasUnknownMethod(error.rawPacket) ? 'wrong_method' : 'broken_request');
    default:
      return problem('broken_request');
  }
}

/**
 * Whether the octet that the parser stopped at is text that was sent as it is, most often by `curl '...?q=бот'`. The
 * parser cannot be told to accept it, and a second parser before it would be a way to smuggle requests.
 */
function isOutsideAscii({ rawPacket, bytesParsed = 0 }: ParserError): boolean {
  return (rawPacket?.[bytesParsed] ?? 0) > 0x7f;
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

/** The language that a request line asks for, as far as it can be read. */
function localeOfPacket(packet: Buffer | undefined): Locale {
  const start = packet?.subarray(0, MAX_HEADER_BYTES).toString('latin1') ?? '';
  const [, asked] = /^[A-Z]+ [^ \r\n]*[?&]locale=([a-z]+)/.exec(start) ?? [];
  return LOCALES.find((locale) => locale === asked) ?? DEFAULT_LOCALE;
}
