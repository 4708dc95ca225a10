import type { Locale } from '../texts/texts.ts';

/**
 * Everything that can be refused: its status, its public code, and the name of its message in texts/{ru,en}/api.json.
 * docs/reference/errors.md lists the same, held by a test.
 */
export const PROBLEMS = {
  missing_parameter: { status: 400, code: 'bad_request' },
  empty_parameter: { status: 400, code: 'bad_request' },
  repeated_parameter: { status: 400, code: 'bad_request' },
  unknown_parameter: { status: 400, code: 'bad_request' },
  unlike_any_parameter: { status: 400, code: 'bad_request' },
  wrong_parameter: { status: 400, code: 'bad_request' },
  broken_encoding: { status: 400, code: 'bad_request' },
  key_beside_header: { status: 400, code: 'bad_request' },
  broken_request: { status: 400, code: 'bad_request' },
  unencoded_address: { status: 400, code: 'bad_request' },
  wrong_host: { status: 400, code: 'bad_request' },
  unknown_expectation: { status: 400, code: 'bad_request' },
  unknown_upgrade: { status: 400, code: 'bad_request' },
  no_key: { status: 401, code: 'no_key' },
  key_in_query: { status: 401, code: 'no_key' },
  bad_key: { status: 401, code: 'bad_key' },
  unknown_listing: { status: 404, code: 'not_found' },
  unknown_route: { status: 404, code: 'not_found' },
  wrong_method: { status: 405, code: 'bad_request' },
  slow_request: { status: 408, code: 'bad_request' },
  unwanted_body: { status: 413, code: 'bad_request' },
  long_address: { status: 414, code: 'bad_request' },
  long_headers: { status: 431, code: 'bad_request' },
  used_up: { status: 429, code: 'rate_limited' },
  fault: { status: 500, code: 'internal' },
  key_busy: { status: 503, code: 'internal' },
  unavailable: { status: 503, code: 'internal' },
} as const satisfies Record<string, { readonly status: number; readonly code: string }>;

export type ProblemName = keyof typeof PROBLEMS;

/** In the order of the documentation. */
export const ERROR_CODES = [
  'bad_request',
  'no_key',
  'bad_key',
  'not_found',
  'rate_limited',
  'internal',
] as const satisfies readonly (typeof PROBLEMS)[ProblemName]['code'][];
export type ErrorCode = (typeof ERROR_CODES)[number];

/** What fills the places of a message: the same in both languages, or chosen by the language. */
type ProblemValues = Readonly<Record<string, string | number | ((locale: Locale) => string)>>;

/** An answer that is an error: data, so that expected outcomes need no exceptions. */
export interface Problem {
  readonly problem: ProblemName;
  readonly values: ProblemValues;
}

export function problem(name: ProblemName, values: ProblemValues = {}): Problem {
  return { problem: name, values };
}

/** There is nothing at an address; where the developer page is, is said instead. */
export function unknownRoute(publicUrl: string): Problem {
  return problem('unknown_route', { docs: (locale) => `${publicUrl}/docs/${locale}` });
}
