import { type IncomingMessage, METHODS, type Server } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

import type { Api } from '../app.ts';
import { DEFAULT_LOCALE, type Locale, LOCALES } from '../../texts/texts.ts';
import { problem, type Problem } from '../problems.ts';
import { KEYLESS } from './access-log.ts';
import type { Connections } from './slow-and-idle-connections.ts';
import { MAX_HEADER_BYTES, MAX_HEADER_FIELDS } from './limits.ts';

/** What Node and its parser, llhttp, say of a request that they refuse. */
type ParserError = NodeJS.ErrnoException & {
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
};

/** What is known of a request that never became one. */
interface UnparsedRequest {
  readonly refused: Problem;
  readonly method: string | null;
  readonly locale: Locale;
}

/** Answers what the parser refuses, once and after the answers that are still owed, and then ends the connection. */
export function answerParserErrors(
  server: Server,
  api: Api,
  connections: Connections,
  requestTimeoutMs: number,
): void {
  const seconds = Math.round(requestTimeoutMs / 1000);

  server.on('clientError', (error: ParserError, socket: Duplex) => {
    refuse(socket, unparsedOf(error, seconds));
  });
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    refuse(socket, { refused: problem('wrong_method'), method: 'CONNECT', locale: DEFAULT_LOCALE });
  });

  function refuse(socket: Duplex, refusal: UnparsedRequest): void {
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

  function end(socket: Duplex, { refused, method, locale }: UnparsedRequest): void {
    const { requestId, status, head, body } = api.refusals(refused, locale);
    socket.end(method === 'HEAD' ? head : head + body, () => socket.destroy());
    // Its other end, as long as it is there.
    const address = socket instanceof Socket ? (socket.remoteAddress ?? null) : null;
    api.accessLog.record({ ...KEYLESS, requestId, method, route: null, status, durationMs: 0, address });
  }
}

/** `seconds` is how long a request may take to arrive. */
function unparsedOf(error: ParserError, seconds: number): UnparsedRequest {
  const start = error.rawPacket?.subarray(0, MAX_HEADER_BYTES).toString('latin1') ?? '';
  const method = start.startsWith('HEAD ') ? 'HEAD' : null;
  return { refused: problemOf(error, start, seconds), method, locale: localeOfRequest(start) };
}

/** `start` is what the parser was at, up to the most that a head may take. */
function problemOf(error: ParserError, start: string, seconds: number): Problem {
  const limits = { bytes: MAX_HEADER_BYTES, fields: MAX_HEADER_FIELDS };
  switch (error.code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return problem('slow_request', { seconds });
    case 'HPE_HEADER_OVERFLOW':
      // A request line without an end: then it is the address that is too long.
      return problem(/^[A-Z]+ [^\r\n]+$/.test(start) ? 'long_address' : 'long_headers', limits);
    case 'HPE_INVALID_URL':
      return problem(isOutsideAscii(error) ? 'unencoded_address' : 'broken_request');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return problem('unwanted_body');
    case 'HPE_INVALID_METHOD':
      return problem(hasUnknownMethod(start) ? 'wrong_method' : 'broken_request');
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
 * Whether this is a request line in form whose method the parser does not know. One that it knows was answered: then
 * the fault is in what follows.
 */
function hasUnknownMethod(start: string): boolean {
  const [, method] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) [^ \r\n]+ HTTP\/1\.[01]\r\n/.exec(start) ?? [];
  return method !== undefined && !METHODS.includes(method);
}

/** The language that a request line asks for, as far as it can be read. */
function localeOfRequest(start: string): Locale {
  const [, asked] = /^[A-Z]+ [^ \r\n]*[?&]locale=([a-z]+)/.exec(start) ?? [];
  return LOCALES.find((locale) => locale === asked) ?? DEFAULT_LOCALE;
}
