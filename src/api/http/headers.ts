import type { Rate } from './rate.ts';

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
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  Vary: 'Accept-Encoding',
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

/** What every response carries, whatever its status. */
export function commonHeaders(requestId: string, { limit, remaining, resetS, cost }: Rate): string[] {
  return [
    ...FIXED,
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
