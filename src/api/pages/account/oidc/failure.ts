import * as client from 'openid-client';

import { codeOf, messageOf, RetryableError } from '../../../../platform/errors.ts';

/** Why somebody was not signed in: what people are told by `outcome`, and what the log says besides. */
export interface SignInFailure {
  /**
   * `cancelled`: the person did not want to. `refused`: the provider does not vouch for this person, or its answer proves
   * nothing. `unreachable`: it does not answer, or says that it cannot now. `misconfigured`: it can never work like this.
   */
  readonly outcome: 'cancelled' | 'refused' | 'unreachable' | 'misconfigured';
  /** The library's, or the system's. */
  readonly code: string;
  /** The provider's own word for it (`error`, RFC 6749, sections 4.1.2.1 and 5.2), safe to print; null where it says none. */
  readonly word: string | null;
  readonly reason: string;
}

type Outcome = SignInFailure['outcome'];

/**
 * The words of both endpoints (RFC 6749, sections 4.1.2.1 and 5.2; OpenID Connect Core 1.0, section 3.1.2.6). The grant is a
 * person's. Any other word of the authorization endpoint is about the person, too, and of the token endpoint about this client.
 */
const BY_WORD: Readonly<Record<string, Outcome>> = {
  access_denied: 'cancelled',
  server_error: 'unreachable',
  temporarily_unavailable: 'unreachable',
  invalid_request: 'misconfigured',
  unauthorized_client: 'misconfigured',
  unsupported_response_type: 'misconfigured',
  invalid_scope: 'misconfigured',
  invalid_grant: 'refused',
};

/** What the library says of answers; any other code is an answer that proves nothing. */
const BY_CODE: Readonly<Record<string, Outcome>> = {
  OAUTH_TIMEOUT: 'unreachable',
  OAUTH_ABORT: 'unreachable',
  OAUTH_RESPONSE_IS_NOT_JSON: 'misconfigured',
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: 'misconfigured',
  OAUTH_MISSING_SERVER_METADATA: 'misconfigured',
  OAUTH_INVALID_SERVER_METADATA: 'misconfigured',
  OAUTH_HTTP_REQUEST_FORBIDDEN: 'misconfigured',
  OAUTH_REQUEST_PROTOCOL_FORBIDDEN: 'misconfigured',
  OAUTH_UNSUPPORTED_OPERATION: 'misconfigured',
};

/** What was thrown by the library, in our words. What is not of it is thrown on: it is a fault of ours. */
export function failureOf(thrown: unknown): SignInFailure {
  const reason = messageOf(thrown);
  if (thrown instanceof RetryableError) return fail('unreachable', 'OAUTH_TIMEOUT', reason);
  if (!(thrown instanceof Error)) throw thrown;
  const isAuthorization = thrown instanceof client.AuthorizationResponseError;
  if (isAuthorization || thrown instanceof client.ResponseBodyError) {
    const { error, code } = thrown;
    return fail(BY_WORD[error] ?? (isAuthorization ? 'refused' : 'misconfigured'), code, reason, error);
  }
  if (thrown instanceof client.WWWAuthenticateChallengeError) {
    const word = thrown.cause.map(({ parameters }) => parameters['error']).find((one) => one !== undefined);
    return fail('misconfigured', thrown.code, reason, word);
  }
  const code = codeOf(thrown);
  const network = networkErrorOf(thrown);
  if (network !== null) return ofNetwork(network, reason);
  if (code === null && !(thrown instanceof client.ClientError)) throw thrown;
  if (thrown.cause instanceof Response) return ofStatus(thrown.cause, code, reason);
  return fail(BY_CODE[code ?? ''] ?? 'refused', code ?? 'UNKNOWN', detailOf(thrown));
}

export function fail(
  outcome: Outcome,
  code: string,
  reason: string,
  word: string | null = null,
): SignInFailure {
  return { outcome, code, word: word === null ? null : printable(word), reason: printable(reason) };
}

const LONGEST = 200;

/** At most so much of another's text, in the characters that the rules allow it. */
function printable(text: string): string {
  return text.slice(0, LONGEST).replaceAll(/[^ -~]/g, '?');
}

/** `fetch` throws a TypeError without a code, also in the middle of a body; its cause is what happened. */
function networkErrorOf(error: Error): Error | null {
  if (error instanceof TypeError && codeOf(error) === null)
    return error.cause instanceof Error ? error.cause : null;
  return error.cause instanceof Error ? networkErrorOf(error.cause) : null;
}

/**
 * No name comes into being by waiting, no certificate becomes good, and nobody begins to speak TLS; and what has no code was never
 * sent (a port that browsers block).
 */
function ofNetwork(cause: Error, reason: string): SignInFailure {
  const code = codeOf(cause);
  const isPermanent = code === null || /^ENOTFOUND$|^ERR_SSL_|CERT|SELF_SIGNED|LEAF_SIGNATURE/.test(code);
  return fail(
    isPermanent ? 'misconfigured' : 'unreachable',
    code ?? 'NOT_SENT',
    `${reason}: ${cause.message}`,
  );
}

/** Another status than the rules allow: the provider in trouble, or another address than is meant. */
function ofStatus({ status }: Response, code: string | null, reason: string): SignInFailure {
  const isTrouble = status >= 500 || status === 429 || status === 408;
  return fail(
    isTrouble ? 'unreachable' : (BY_CODE[code ?? ''] ?? 'misconfigured'),
    code ?? 'UNKNOWN',
    `${reason} (status ${status})`,
  );
}

/** The library says in its cause what was wrong with an answer. */
function detailOf(error: Error): string {
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
