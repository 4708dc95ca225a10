import type { Encoding } from './compression.ts';
import type { Rate } from '../rate-without-key.ts';
import type { Representation } from './representation.ts';

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
export const DATA_POLICY = fields({
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
});

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
    `"daily";q=${limit};w=86400`,
    'RateLimit',
    `"daily";r=${remaining};t=${resetS}`,
  ];
}

/** What a body says of itself. `sent` is the coding in which it goes along; null for a 304. */
export function bodyHeaders(
  { contentType, etag, languages, lastModified, link }: Representation,
  cacheControl: string,
  sent: { readonly encoding: Encoding | null } | null,
): string[] {
  const headers = ['ETag', etag, 'Cache-Control', cacheControl];
  if (languages.length > 0) headers.push('Content-Language', languages.join(', '));
  if (lastModified !== null) headers.push('Last-Modified', lastModified);
  // A caller that has the body has its links too, so a 304 does not repeat them (RFC 9110, section 15.4.5).
  if (sent === null) return headers;
  if (link !== null) headers.push('Link', link);
  headers.push('Content-Type', contentType);
  if (sent.encoding !== null) headers.push('Content-Encoding', sent.encoding);
  return headers;
}
