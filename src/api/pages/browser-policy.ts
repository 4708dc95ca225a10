import { fields } from '../http/headers.ts';

/**
 * What browsers may do with the pages: load what comes from this very host, and nothing else from anywhere; run no
 * script and apply no style that stands in the markup; send no form; stand in no frame.
 */
function browserPolicy(allowed: readonly string[]): readonly string[] {
  const directives = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    ...allowed,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return fields({
    'Content-Security-Policy': directives.join('; '),
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
  });
}

export const GUIDE_POLICY = browserPolicy(["img-src 'self'"]);

/** The reference asks the API, and its stylesheet holds its icons. */
export const REFERENCE_POLICY = browserPolicy(["img-src 'self' data:", "connect-src 'self'"]);
