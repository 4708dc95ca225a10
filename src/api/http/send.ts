import { after, type Soon } from '../../platform/soon.ts';
import { errorBody, problemHeaders } from '../error-answer.ts';
import { type Problem, PROBLEMS } from '../problems.ts';
import type { Redirect } from '../route.ts';
import { type Accepted, createAcceptEncodingReader } from './accept-encoding.ts';
import type { Condition } from './conditional.ts';
import type { Encoding } from './encoded-forms.ts';
import type { Exchange, Outcome } from './exchange.ts';
import { type Form, formOf, headOf } from './forms.ts';
import { commonHeaders, fillHead, type HeadTemplate, PREFLIGHT } from './headers.ts';
import { COMPRESSED_ABOVE, JSON_TYPE, type Rendering } from './rendering.ts';

/** Writes an outcome to the socket, and returns its status. At once, unless a body has to be compressed first. */
export type Send = (exchange: Exchange, outcome: Outcome, condition: Condition) => Soon<number>;

interface Refused {
  readonly headers: string[];
  /** In the place of the error object. */
  readonly page: Rendering | null;
}

export function createSend(publicUrl: () => string): Send {
  const readAcceptEncoding = createAcceptEncodingReader();

  return (exchange, outcome, condition) => {
    if ('bytes' in outcome) {
      return after(chosenForm(exchange, outcome, condition), (form) =>
        sendForm(exchange, form, headOf(outcome, form)),
      );
    }
    const page = 'problem' in outcome ? problemPage(exchange, outcome) : null;
    const headers = commonHeaders(
      exchange.requestId,
      exchange.rate,
      page ? exchange.route?.policy : undefined,
    );
    if (exchange.closes) headers.push('Connection', 'close');
    if ('preflight' in outcome) return write(exchange, 204, [...headers, ...PREFLIGHT]);
    return 'redirect' in outcome
      ? sendRedirect(exchange, outcome, headers)
      : sendProblem(exchange, outcome, { headers, page });
  };

  function chosenForm(
    { request, route }: Exchange,
    rendering: Rendering,
    { isNotModified }: Condition,
  ): Soon<Form> {
    if (isNotModified) return formOf(rendering, route, 304, null);
    const accepted = readAcceptEncoding(request.headers['accept-encoding']);
    return formOf(rendering, route, 200, encodingFor(rendering, accepted));
  }

  function sendRedirect(exchange: Exchange, { redirect, vary }: Redirect, headers: string[]): number {
    if (vary !== undefined) headers.push('Vary', vary);
    headers.push('Location', redirect, 'Cache-Control', exchange.route?.cacheControl ?? 'no-store');
    return write(exchange, 302, headers, Buffer.alloc(0));
  }

  function problemPage({ route, request }: Exchange, problem: Problem): Rendering | null {
    return route?.problemPage?.(problem, { target: request.url ?? '', publicUrl: publicUrl() }) ?? null;
  }

  function sendProblem(exchange: Exchange, problem: Problem, { headers, page }: Refused): number {
    const { status } = PROBLEMS[problem.problem];
    const bytes =
      page?.bytes ?? Buffer.from(JSON.stringify(errorBody(problem, exchange.locale, publicUrl())));
    const language = page?.languages.join(', ') ?? exchange.locale;
    headers.push(...problemFields(problem, page?.contentType ?? JSON_TYPE, language));
    return write(exchange, status, headers, bytes);
  }
}

/** What an error says of itself and its body, names and values in turn. */
export function problemFields(problem: Problem, contentType: string, language: string): string[] {
  const fields = ['Content-Type', contentType, 'Content-Language', language, 'Cache-Control', 'no-store'];
  return [...fields, ...problemHeaders(problem)];
}

/** What a body is sent in. */
export function encodingFor({ size }: Rendering, { encoding, refusesPlain }: Accepted): Encoding | null {
  return refusesPlain || size > COMPRESSED_ABOVE ? encoding : null;
}

function sendForm(
  { request, response, requestId, rate, closes }: Exchange,
  { status, body, charset }: Form,
  head: HeadTemplate,
): number {
  response.writeHead(status, fillHead(head, requestId, rate, closes));
  if (body === null || request.method === 'HEAD') response.end();
  else response.end(body, charset);
  return status;
}

function write({ request, response }: Exchange, status: number, headers: string[], bytes?: Buffer): number {
  if (bytes) headers.push('Content-Length', String(bytes.length));
  response.writeHead(status, headers);
  if (bytes && request.method !== 'HEAD') response.end(bytes);
  else response.end();
  return status;
}
