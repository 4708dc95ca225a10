import { METHODS } from 'node:http';

import { DEFAULT_LOCALE, type Locale, LOCALES } from '../../texts/texts.ts';
import { problem, type Problem } from '../problems.ts';
import { MAX_HEADER_BYTES, MAX_HEADER_FIELDS } from './limits.ts';

/** What Node and its parser, llhttp, say of a request that they refuse. */
export type ParserError = NodeJS.ErrnoException & {
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
};

/** What is known of a request that never became one. */
export interface UnparsedRequest {
  readonly refused: Problem;
  readonly method: string | null;
  readonly locale: Locale;
}

/** `seconds` is how long a request may take to arrive. */
export function unparsedOf(error: ParserError, seconds: number): UnparsedRequest {
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
