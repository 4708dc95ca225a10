import { describe, expect, test } from 'vitest';

import { failureOf } from '../../../../../../src/api/pages/account/oidc/failure.ts';
import { json } from '../../../../../support/fake-provider.ts';
import {
  asHtml,
  attemptSignIn,
  inHalf,
  refusing,
  type Attempt,
} from '../../../../../support/fake-sign-in.ts';

/** What providers are known to answer, and what they must not. Each ends in one word for people, and a code for the log. */

const secondsFromNow = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

const bringing =
  (error: string): NonNullable<Attempt['answer']> =>
  (parameters) => {
    parameters.delete('code');
    parameters.set('error', error);
  };

describe('a sign-in that fails has one word for people, and the reason for the operator', () => {
  test.each<readonly [string, string, string | null, string, Attempt]>([
    [
      'cancelled',
      'OAUTH_AUTHORIZATION_RESPONSE_ERROR',
      'access_denied',
      'whoever cancels',
      { answer: bringing('access_denied') },
    ],
    [
      'refused',
      'OAUTH_AUTHORIZATION_RESPONSE_ERROR',
      'login_required',
      'a provider that wants another sign-in',
      { answer: bringing('login_required') },
    ],
    [
      'unreachable',
      'OAUTH_AUTHORIZATION_RESPONSE_ERROR',
      'temporarily_unavailable',
      'a provider that cannot now',
      { answer: bringing('temporarily_unavailable') },
    ],
    [
      'misconfigured',
      'OAUTH_AUTHORIZATION_RESPONSE_ERROR',
      'invalid_scope',
      'a client that may not ask for identities',
      { answer: bringing('invalid_scope') },
    ],
    [
      'refused',
      'OAUTH_AUTHORIZATION_RESPONSE_ERROR',
      `${'x'.repeat(190)}?????xxxxx`,
      'a long word with signs of a terminal in it',
      { answer: bringing(`${'x'.repeat(190)}\u001b[31mйx${'x'.repeat(900)}`.replace('[31m', '\n\n\u0007')) },
    ],
    [
      'refused',
      'OAUTH_RESPONSE_BODY_ERROR',
      'invalid_grant',
      'a code that was used',
      { token: refusing('invalid_grant') },
    ],
    [
      'misconfigured',
      'OAUTH_RESPONSE_BODY_ERROR',
      'invalid_client',
      'a wrong secret',
      { token: refusing('invalid_client', 401) },
    ],
    [
      'misconfigured',
      'OAUTH_RESPONSE_BODY_ERROR',
      'redirect_uri_mismatch',
      'another redirect address, as Google says it',
      { token: refusing('redirect_uri_mismatch') },
    ],
    [
      'misconfigured',
      'OAUTH_WWW_AUTHENTICATE_CHALLENGE',
      'invalid_client',
      'a wrong secret, said in a header',
      {
        token: (response) =>
          void response
            .writeHead(401, { 'WWW-Authenticate': 'Basic realm="x", error="invalid_client"' })
            .end(),
      },
    ],
    [
      'misconfigured',
      'OAUTH_RESPONSE_IS_NOT_JSON',
      null,
      'a page of HTML in the place of tokens',
      { token: asHtml(200) },
    ],
    [
      'unreachable',
      'OAUTH_RESPONSE_IS_NOT_CONFORM',
      null,
      'a token endpoint in trouble',
      { token: asHtml(503) },
    ],
    [
      'misconfigured',
      'OAUTH_RESPONSE_IS_NOT_JSON',
      null,
      'a token endpoint that is not there',
      { token: asHtml(404) },
    ],
    ['refused', 'OAUTH_PARSE_ERROR', null, 'half a body', { token: inHalf }],
    [
      'refused',
      'OAUTH_INVALID_RESPONSE',
      null,
      'no ID token',
      { token: (response) => json(response, { access_token: 'a', token_type: 'Bearer' }) },
    ],
    [
      'refused',
      'OAUTH_INVALID_RESPONSE',
      null,
      'another issuer in the answer (RFC 9207)',
      { answer: (parameters) => parameters.set('iss', 'https://evil.example') },
    ],
    [
      'refused',
      'OAUTH_INVALID_RESPONSE',
      null,
      'no issuer in the answer of a provider that says it',
      { metadata: () => ({ authorization_response_iss_parameter_supported: true }) },
    ],
    [
      'refused',
      'OAUTH_INVALID_RESPONSE',
      null,
      'another state',
      { answer: (parameters) => parameters.set('state', 'x') },
    ],
    [
      'refused',
      'OAUTH_INVALID_RESPONSE',
      null,
      'two states',
      { answer: (parameters) => parameters.append('state', 'x') },
    ],
    ['refused', 'OAUTH_INVALID_RESPONSE', null, 'a forged signature', { forge: true }],
    ['refused', 'OAUTH_INVALID_RESPONSE', null, 'a forged signature by ES256', { forge: true, alg: 'ES256' }],
    [
      'refused',
      'OAUTH_KEY_SELECTION_FAILED',
      null,
      'a key that the provider does not publish',
      { header: { kid: 'other' } },
    ],
    ['unreachable', 'OAUTH_RESPONSE_IS_NOT_CONFORM', null, 'keys that cannot be had', { jwks: asHtml(500) }],
    [
      'misconfigured',
      'OAUTH_MISSING_SERVER_METADATA',
      null,
      'no keys at all',
      { metadata: () => ({ jwks_uri: undefined }) },
    ],
    ['refused', 'OAUTH_INVALID_RESPONSE', null, 'no algorithm', { header: { alg: 'none' } }],
    [
      'refused',
      'OAUTH_INVALID_RESPONSE',
      null,
      'an algorithm that the metadata does not name',
      { metadata: () => ({ id_token_signing_alg_values_supported: ['RS256'] }), alg: 'ES256' },
    ],
    [
      'misconfigured',
      'OAUTH_UNSUPPORTED_OPERATION',
      null,
      'an algorithm with the client’s secret',
      { metadata: () => ({ id_token_signing_alg_values_supported: ['HS256'] }), header: { alg: 'HS256' } },
    ],
    [
      'misconfigured',
      'OAUTH_UNSUPPORTED_OPERATION',
      null,
      'an algorithm that nobody knows',
      { metadata: () => ({ id_token_signing_alg_values_supported: ['XX999'] }), header: { alg: 'XX999' } },
    ],
    [
      'refused',
      'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
      null,
      'a token that has expired',
      { claims: () => ({ exp: secondsFromNow(-60) }) },
    ],
    [
      'refused',
      'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
      null,
      'a token of the future',
      { claims: () => ({ nbf: secondsFromNow(300) }) },
    ],
    [
      'refused',
      'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
      null,
      'a token for another client',
      { claims: () => ({ aud: 'other' }) },
    ],
    [
      'refused',
      'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
      null,
      'a token for others besides',
      { claims: () => ({ aud: ['catalog', 'other'] }) },
    ],
    [
      'refused',
      'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
      null,
      'a token of another issuer, as of Azure’s first version',
      { claims: () => ({ iss: 'https://sts.windows.net/x/' }) },
    ],
    [
      'refused',
      'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
      null,
      'another nonce',
      { claims: () => ({ nonce: 'x' }) },
    ],
    [
      'refused',
      'OAUTH_INVALID_RESPONSE',
      null,
      'a provider that leaves the nonce out',
      { claims: () => ({ nonce: undefined }) },
    ],
    ['refused', 'SUBJECT', null, 'an empty subject', { claims: () => ({ sub: '' }) }],
    ['refused', 'SUBJECT', null, 'a subject of 256 characters', { claims: () => ({ sub: 'a'.repeat(256) }) }],
    ['refused', 'SUBJECT', null, 'a subject that is not ASCII', { claims: () => ({ sub: 'Ада' }) }],
    ['refused', 'OAUTH_INVALID_RESPONSE', null, 'a subject that is a number', { claims: () => ({ sub: 7 }) }],
    ['refused', 'OAUTH_INVALID_RESPONSE', null, 'no subject', { claims: () => ({ sub: undefined }) }],
  ])('%s (%s, %s): %s', async (outcome, code, word, _title, attempt) => {
    expect((await attemptSignIn(attempt)).outcome).toMatchObject({ outcome, code, word });
  });

  test('unreachable: a connection that is cut', async () => {
    const { outcome } = await attemptSignIn({ token: (response) => void response.destroy() });
    expect(outcome).toMatchObject({ outcome: 'unreachable', word: null });
  });
});

describe('of a network', () => {
  test.each([
    [
      'unreachable',
      ['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EHOSTUNREACH', 'EAI_AGAIN', 'UND_ERR_SOCKET'],
    ],
    [
      'misconfigured',
      [
        'ENOTFOUND',
        'CERT_HAS_EXPIRED',
        'DEPTH_ZERO_SELF_SIGNED_CERT',
        'SELF_SIGNED_CERT_IN_CHAIN',
        'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
        'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
        'ERR_TLS_CERT_ALTNAME_INVALID',
        'ERR_SSL_WRONG_VERSION_NUMBER',
      ],
    ],
  ])('what is %s is told by what the system says', (outcome, codes) => {
    for (const code of codes) {
      const cause = Object.assign(new Error(`the reason for ${code}`), { code });
      const failure = failureOf(new TypeError('fetch failed', { cause }));
      expect(failure).toMatchObject({ outcome, code, reason: `fetch failed: the reason for ${code}` });
    }
  });

  test('a fault of ours is no failure of theirs', () => {
    for (const fault of [new Error('x'), new TypeError('x is not a function')])
      expect(() => failureOf(fault)).toThrow(fault);
  });
});
