import { errorBody, problemHeaders } from '../error-answer.ts';
import { type Problem, PROBLEMS } from '../problems.ts';
import type { Redirect } from '../route.ts';
import { createAcceptEncodingReader } from './accept-encoding.ts';
import { type Condition, conditionOf } from './conditional.ts';
import type { Exchange, Outcome } from './exchange.ts';
import { commonHeaders, PREFLIGHT } from './headers.ts';
import { COMPRESSED_ABOVE, JSON_TYPE, type Rendering } from './rendering.ts';

/** Writes outcomes to the socket. */
export interface Send {
  /** Whether the reader has shown that they have the body that this outcome would send. */
  isNamed(exchange: Exchange, outcome: Outcome): boolean;
  /** Sends it, and returns its status. */
  answer(exchange: Exchange, outcome: Outcome): Promise<number>;
}

export function createSend(publicUrl: () => string): Send {
  const readAcceptEncoding = createAcceptEncodingReader();

  return {
    isNamed: (exchange, outcome) => condition(exchange, outcome)?.isNamed === true,
    async answer(exchange, outcome) {
      const policy = 'bytes' in outcome ? exchange.route?.policy : undefined;
      const headers = commonHeaders(exchange.requestId, exchange.rate, policy);
      if (exchange.closes) headers.push('Connection', 'close');
      if ('preflight' in outcome) return write(exchange, 204, [...headers, ...PREFLIGHT]);
      if ('redirect' in outcome) return sendRedirect(exchange, outcome, headers);
      if ('problem' in outcome) return sendProblem(exchange, outcome, headers);
      return await sendRendering(exchange, outcome, headers);
    },
  };

  async function sendRendering(exchange: Exchange, rendering: Rendering, headers: string[]): Promise<number> {
    const { contentType, etag, languages, lastModified, link } = rendering;
    headers.push('ETag', etag, 'Cache-Control', exchange.route?.cacheControl ?? 'no-store');
    if (languages.length > 0) headers.push('Content-Language', languages.join(', '));
    if (lastModified !== null) headers.push('Last-Modified', lastModified);
    if (condition(exchange, rendering)?.isNotModified) return write(exchange, 304, headers);
    // A caller that has the body has its links too, so a 304 does not repeat them (RFC 9110, section 15.4.5).
    if (link !== null) headers.push('Link', link);
    headers.push('Content-Type', contentType);
    const { encoding, refusesPlain } = readAcceptEncoding(exchange.request.headers['accept-encoding']);
    if (encoding === null || !(refusesPlain || rendering.bytes.length > COMPRESSED_ABOVE)) {
      return write(exchange, 200, headers, rendering.bytes);
    }
    headers.push('Content-Encoding', encoding);
    return write(exchange, 200, headers, await rendering.encoded.of(encoding));
  }

  function sendRedirect(exchange: Exchange, { redirect }: Redirect, headers: string[]): number {
    headers.push('Location', redirect, 'Cache-Control', exchange.route?.cacheControl ?? 'no-store');
    return write(exchange, 302, headers, Buffer.alloc(0));
  }

  function sendProblem(exchange: Exchange, problem: Problem, headers: string[]): number {
    const { status } = PROBLEMS[problem.problem];
    const bytes = Buffer.from(JSON.stringify(errorBody(problem, exchange.locale, publicUrl())));
    headers.push('Content-Type', JSON_TYPE, 'Content-Language', exchange.locale, 'Cache-Control', 'no-store');
    headers.push(...problemHeaders(problem));
    return write(exchange, status, headers, bytes);
  }
}

function condition({ request }: Exchange, outcome: Outcome): Condition | null {
  return 'etag' in outcome ? conditionOf(request.headers['if-none-match'], outcome.etag) : null;
}

function write({ request, response }: Exchange, status: number, headers: string[], bytes?: Buffer): number {
  if (bytes) headers.push('Content-Length', String(bytes.length));
  response.writeHead(status, headers);
  if (bytes && request.method !== 'HEAD') response.end(bytes);
  else response.end();
  return status;
}
