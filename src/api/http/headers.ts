import { STATUS_CODES } from 'node:http';

import type { Encoding } from './encoded-forms.ts';
import type { Rate } from './rate.ts';
import type { Rendering } from './rendering.ts';

/**
 * Header fields as `writeHead` takes them: names and values in turn. The fixed ones are one array that is made once,
 * because they go out with every response.
 */

export const ALLOWED_METHODS = 'GET, HEAD, OPTIONS';

const EXPOSED = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Cost',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'ETag',
  'Link',
  'X-Request-Id',
  'WWW-Authenticate',
];

const FIXED = fields({
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED.join(', '),
  'X-Content-Type-Options': 'nosniff',
  Vary: 'Accept-Encoding',
});

/** What a browser may do with a body. This is for data: it loads nothing for it, and shows it in no frame. */
const DATA_POLICY = fields({ 'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'" });

/** For a preflight; browsers may keep the permission for two hours. */
export const PREFLIGHT = fields({
  Allow: ALLOWED_METHODS,
  'Access-Control-Allow-Methods': ALLOWED_METHODS,
  'Access-Control-Allow-Headers': 'x-api-key, if-none-match, x-request-id',
  'Access-Control-Max-Age': '7200',
});

export const CHALLENGE = fields({ 'WWW-Authenticate': 'ApiKey realm="catalog", header="x-api-key"' });

export function fields(named: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(named).flat();
}

/** The same as lines, `Name: value`. */
export function linesOf(headers: readonly string[]): readonly string[] {
  return headers.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${headers[index + 1]}`] : []));
}

/** What every response carries, whatever its status. `policy` is that of a page; data have one for all. */
export function commonHeaders(
  requestId: string,
  { limit, remaining, resetS, cost }: Rate,
  policy: readonly string[] = DATA_POLICY,
): string[] {
  return [
    ...FIXED,
    ...policy,
    'X-Request-Id',
    requestId,
    'X-RateLimit-Limit',
    String(limit),
    'X-RateLimit-Remaining',
    String(remaining),
    'X-RateLimit-Cost',
    String(cost),
    // draft-ietf-httpapi-ratelimit-headers: the policy, and what is left of it for how many seconds.
    'RateLimit-Policy',
    policyOf(limit),
    'RateLimit',
    `"daily";r=${remaining};t=${resetS}`,
  ];
}

function policyOf(limit: number): string {
  return `"daily";q=${limit};w=86400`;
}

/** What a rendering says of itself; `length` is that of the body that is sent, null for a 304. */
export function bodyHeaders(
  { contentType, etag, languages, lastModified, link }: Rendering,
  cacheControl: string,
  encoding: Encoding | null,
  length: number | null,
): string[] {
  const headers = ['ETag', etag, 'Cache-Control', cacheControl];
  if (languages.length > 0) headers.push('Content-Language', languages.join(', '));
  if (lastModified !== null) headers.push('Last-Modified', lastModified);
  // A caller that has the body has its links too, so a 304 does not repeat them (RFC 9110, section 15.4.5).
  if (length === null) return headers;
  if (link !== null) headers.push('Link', link);
  headers.push('Content-Type', contentType);
  if (encoding !== null) headers.push('Content-Encoding', encoding);
  headers.push('Content-Length', String(length));
  return headers;
}

/** A whole head, but for what differs from one answer to the next. */
export interface HeadTemplate {
  readonly headers: readonly string[];
  /** Where what `commonHeaders` says of the request begins. */
  readonly at: number;
}

const UNKNOWN: Rate = { limit: 0, remaining: 0, resetS: 0, cost: 0 };

export function headTemplate(policy: readonly string[] | undefined, fixed: readonly string[]): HeadTemplate {
  const headers = [...commonHeaders('', UNKNOWN, policy), ...fixed];
  return { headers, at: headers.indexOf('X-Request-Id') };
}

/** The head of one answer: the same fields, in the same order, as `commonHeaders` and the fixed ones. */
export function fillHead(
  { headers, at }: HeadTemplate,
  requestId: string,
  rate: Rate,
  closes: boolean,
): string[] {
  const filled = headers.slice();
  const { limit, remaining, resetS, cost } = rate;
  filled[at + 1] = requestId;
  filled[at + 3] = String(limit);
  filled[at + 5] = String(remaining);
  filled[at + 7] = cost === 1 ? '1' : '0';
  filled[at + 9] = policyOf(limit);
  filled[at + 11] = `"daily";r=${remaining};t=${resetS}`;
  if (closes) filled.splice(at + VARYING, 0, 'Connection', 'close');
  return filled;
}

/** The same head as text, without what Node adds to each: `Date` and what becomes of the connection. */
export interface HeadText {
  /** Up to the id of the request. */
  readonly before: string;
  /** From behind the quota on. */
  readonly after: string;
}

export function headText(
  status: number,
  policy: readonly string[] | undefined,
  fixed: readonly string[],
): HeadText {
  return { before: beginOf(status, policy ?? DATA_POLICY), after: textOf(fixed) };
}

/** Kept: there are as many as statuses and policies. */
const BEGINS = new Map<readonly string[], Map<number, string>>();

function beginOf(status: number, policy: readonly string[]): string {
  const known = BEGINS.get(policy)?.get(status);
  if (known !== undefined) return known;
  const ofPolicy = BEGINS.get(policy) ?? new Map<number, string>();
  BEGINS.set(policy, ofPolicy);
  const begin = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${textOf([...FIXED, ...policy])}X-Request-Id: `;
  ofPolicy.set(status, begin);
  return begin;
}

function textOf(headers: readonly string[]): string {
  let text = '';
  for (let index = 0; index < headers.length; index += 2) {
    text += `${headers[index]}: ${headers[index + 1]}\r\n`;
  }
  return text;
}

/** What `fillHead` fills in: six fields, names and values in turn. */
const VARYING = 12;

/** The head of one answer, to which Node's own fields are still to be added: what `fillHead` says, as text. */
export function fillText({ before, after }: HeadText, requestId: string, rate: Rate): string {
  const { limit, remaining, resetS, cost } = rate;
  return `${before}${requestId}\r\nX-RateLimit-Limit: ${limit}\r\nX-RateLimit-Remaining: ${remaining}\r\nX-RateLimit-Cost: ${cost}\r\nRateLimit-Policy: ${policyOf(limit)}\r\nRateLimit: "daily";r=${remaining};t=${resetS}\r\n${after}`;
}
