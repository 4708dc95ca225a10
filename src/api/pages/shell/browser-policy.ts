import { fields } from '../../http/response/headers.ts';

/**
 * What browsers may do with the pages: load what comes from this very host, and nothing else from anywhere; run no
 * script and apply no style that stands in the markup; stand in no frame; send forms nowhere but here.
 */
function browserPolicy(
  allowed: readonly string[],
  forms: "'none'" | "'self'",
  referrers: 'no-referrer' | 'same-origin' = 'no-referrer',
): readonly string[] {
  const directives = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    ...allowed,
    "base-uri 'none'",
    `form-action ${forms}`,
    "frame-ancestors 'none'",
  ];
  return fields({
    'Content-Security-Policy': directives.join('; '),
    'Referrer-Policy': referrers,
    'Cross-Origin-Opener-Policy': 'same-origin',
  });
}

/** The developer pages search themselves, and the reference asks the API. */
export const DOCS_POLICY = browserPolicy(["connect-src 'self'"], "'none'");

/** Pages of the catalog have a form for searches, and ask for themselves again. */
export const CATALOG_POLICY = browserPolicy(["connect-src 'self'"], "'self'");

/** The operator's page has forms like those of accounts, and asks for itself again. */
export const OPERATOR_POLICY = browserPolicy(["connect-src 'self'"], "'self'", 'same-origin');

/** Forms of accounts tell us where they were sent from; without a referrer, browsers would say `null` in its place. */
export const ACCOUNT_POLICY = browserPolicy([], "'self'", 'same-origin');
