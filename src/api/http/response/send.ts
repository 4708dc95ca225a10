import { errorBody, problemHeaders } from '../../error-answer.ts';
import { type Problem, PROBLEMS } from '../../problems.ts';
import type { Redirect } from '../../route.ts';
import type { Precondition } from '../precondition.ts';
import type { Exchange, Outcome } from '../exchange.ts';
import { type AcceptedEncoding, readAcceptEncoding } from './accept-encoding.ts';
import type { Encoding } from './compression.ts';
import { bodyHeaders, commonHeaders, PREFLIGHT } from './headers.ts';
import { COMPRESSED_ABOVE, JSON_TYPE, type Representation } from './representation.ts';

/** Writes an outcome to the socket, and returns its status. */
export type Send = (exchange: Exchange, outcome: Outcome, condition: Precondition) => Promise<number>;

export function createSend(publicUrl: () => string): Send {
  return async (exchange, outcome, condition) => {
    if ('bytes' in outcome) return await sendBody(exchange, outcome, condition);
    if ('preflight' in outcome) return write(exchange, 204, [...headersOf(exchange), ...PREFLIGHT]);
    return 'redirect' in outcome ? sendRedirect(exchange, outcome) : sendProblem(exchange, outcome);
  };

  function sendProblem(exchange: Exchange, problem: Problem): number {
    const { route, request, locale } = exchange;
    const page = route?.problemPage?.(problem, { target: request.url ?? '', publicUrl: publicUrl() }) ?? null;
    const bytes = page?.bytes ?? Buffer.from(JSON.stringify(errorBody(problem, locale, publicUrl())));
    const headers = [
      ...headersOf(exchange, page ? route?.policy : undefined),
      'Content-Type',
      page?.contentType ?? JSON_TYPE,
      'Content-Language',
      page?.languages.join(', ') ?? locale,
      'Cache-Control',
      'no-store',
      ...problemHeaders(problem),
    ];
    return write(exchange, PROBLEMS[problem.problem].status, headers, bytes);
  }
}

async function sendBody(
  exchange: Exchange,
  body: Representation,
  { isNotModified }: Precondition,
): Promise<number> {
  const { request, route } = exchange;
  const accepted = readAcceptEncoding(request.headers['accept-encoding']);
  const encoding = isNotModified ? null : encodingFor(body, accepted);
  const bytes = encoding === null ? body.bytes : await body.compressed(encoding);
  const fields = bodyHeaders(body, route?.cacheControl ?? 'no-store', isNotModified ? null : { encoding });
  const headers = [...headersOf(exchange, route?.policy), ...fields];
  return isNotModified ? write(exchange, 304, headers) : write(exchange, 200, headers, bytes);
}

/** What a body is sent in. */
function encodingFor(
  { bytes }: Representation,
  { encoding, refusesPlain }: AcceptedEncoding,
): Encoding | null {
  return refusesPlain || bytes.length > COMPRESSED_ABOVE ? encoding : null;
}

function sendRedirect(exchange: Exchange, { redirect, vary }: Redirect): number {
  const headers = headersOf(exchange);
  if (vary !== undefined) headers.push('Vary', vary);
  headers.push('Location', redirect, 'Cache-Control', exchange.route?.cacheControl ?? 'no-store');
  return write(exchange, 302, headers, Buffer.alloc(0));
}

function headersOf({ requestId, rate, closes }: Exchange, policy?: readonly string[]): string[] {
  const headers = commonHeaders(requestId, rate, policy);
  if (closes) headers.push('Connection', 'close');
  return headers;
}

/** `bytes` are those of the body, where the status has one. */
function write({ request, response }: Exchange, status: number, headers: string[], bytes?: Buffer): number {
  if (bytes) headers.push('Content-Length', String(bytes.length));
  response.writeHead(status, headers);
  if (bytes && request.method !== 'HEAD') response.end(bytes);
  else response.end();
  return status;
}
