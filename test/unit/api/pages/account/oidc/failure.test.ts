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
import { words } from '../../../../../support/words.ts';

/** What providers are known to answer, and what they must not. Each ends in one word for people, and a code for the log. */

const secondsFromNow = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

const bringing = (error: string): Attempt => ({
  answer(parameters) {
    parameters.delete('code');
    parameters.set('error', error);
  },
});
const token = (answer: NonNullable<Attempt['token']>): Attempt => ({ token: answer });
const claims = (changed: Readonly<Record<string, unknown>>): Attempt => ({ claims: () => changed });
const metadata = (changed: Readonly<Record<string, unknown>>): Attempt => ({ metadata: () => changed });
const algorithm = (alg: string): Attempt => ({
  ...metadata({ id_token_signing_alg_values_supported: [alg] }),
  header: { alg },
});

const HOSTILE = `${'x'.repeat(190)}\u001b\n\n\u0007й${'x'.repeat(900)}`;
const CHALLENGE = 'Basic realm="x", error="invalid_client"';

/** What goes wrong, and the provider's own word for it where it says one. */
type Failing = readonly (readonly [title: string, attempt: Attempt, word?: string])[];

/** By what people are told, and by the code for the log. */
const FAILURES: Readonly<Record<string, Readonly<Record<string, Failing>>>> = {
  cancelled: {
    OAUTH_AUTHORIZATION_RESPONSE_ERROR: [['whoever cancels', bringing('access_denied'), 'access_denied']],
  },
  unreachable: {
    OAUTH_AUTHORIZATION_RESPONSE_ERROR: [
      ['a provider that cannot now', bringing('temporarily_unavailable'), 'temporarily_unavailable'],
    ],
    OAUTH_RESPONSE_IS_NOT_CONFORM: [
      ['a token endpoint in trouble', token(asHtml(503))],
      ['keys that cannot be had', { jwks: asHtml(500) }],
    ],
  },
  misconfigured: {
    OAUTH_AUTHORIZATION_RESPONSE_ERROR: [
      ['a client that may not ask for identities', bringing('invalid_scope'), 'invalid_scope'],
    ],
    OAUTH_RESPONSE_BODY_ERROR: [
      ['a wrong secret', token(refusing('invalid_client', 401)), 'invalid_client'],
      ['another redirect address', token(refusing('redirect_uri_mismatch')), 'redirect_uri_mismatch'],
    ],
    OAUTH_WWW_AUTHENTICATE_CHALLENGE: [
      [
        'a wrong secret, said in a header',
        token((response) => void response.writeHead(401, { 'WWW-Authenticate': CHALLENGE }).end()),
        'invalid_client',
      ],
    ],
    OAUTH_RESPONSE_IS_NOT_JSON: [
      ['a page of HTML in the place of tokens', token(asHtml(200))],
      ['a token endpoint that is not there', token(asHtml(404))],
    ],
    OAUTH_MISSING_SERVER_METADATA: [['no keys at all', metadata({ jwks_uri: undefined })]],
    OAUTH_UNSUPPORTED_OPERATION: [
      ['an algorithm with the client’s secret', algorithm('HS256')],
      ['an algorithm that nobody knows', algorithm('XX999')],
    ],
  },
  refused: {
    OAUTH_AUTHORIZATION_RESPONSE_ERROR: [
      ['a provider that wants another sign-in', bringing('login_required'), 'login_required'],
      ['a long word with signs of a terminal in it', bringing(HOSTILE), `${'x'.repeat(190)}?????xxxxx`],
    ],
    OAUTH_RESPONSE_BODY_ERROR: [['a code that was used', token(refusing('invalid_grant')), 'invalid_grant']],
    OAUTH_PARSE_ERROR: [['half a body', token(inHalf)]],
    OAUTH_INVALID_RESPONSE: [
      ['no ID token', token((response) => json(response, { access_token: 'a', token_type: 'Bearer' }))],
      ['another issuer in the answer', { answer: (sent) => sent.set('iss', 'https://evil.example') }],
      [
        'no issuer in the answer of a provider that says it',
        metadata({ authorization_response_iss_parameter_supported: true }),
      ],
      ['another state', { answer: (sent) => sent.set('state', 'x') }],
      ['two states', { answer: (sent) => sent.append('state', 'x') }],
      ['a forged signature', { forge: true }],
      ['a forged signature by ES256', { forge: true, alg: 'ES256' }],
      ['no algorithm', { header: { alg: 'none' } }],
      [
        'an algorithm that the metadata does not name',
        { ...metadata({ id_token_signing_alg_values_supported: ['RS256'] }), alg: 'ES256' },
      ],
      ['a provider that leaves the nonce out', claims({ nonce: undefined })],
      ['a subject that is a number', claims({ sub: 7 })],
      ['no subject', claims({ sub: undefined })],
    ],
    OAUTH_KEY_SELECTION_FAILED: [['a key that the provider does not publish', { header: { kid: 'other' } }]],
    OAUTH_JWT_TIMESTAMP_CHECK_FAILED: [
      ['a token that has expired', claims({ exp: secondsFromNow(-60) })],
      ['a token of the future', claims({ nbf: secondsFromNow(300) })],
    ],
    OAUTH_JWT_CLAIM_COMPARISON_FAILED: [
      ['a token for another client', claims({ aud: 'other' })],
      ['a token for others besides', claims({ aud: ['catalog', 'other'] })],
      ['a token of another issuer', claims({ iss: 'https://sts.windows.net/x/' })],
      ['another nonce', claims({ nonce: 'x' })],
    ],
    SUBJECT: [
      ['an empty subject', claims({ sub: '' })],
      ['a subject of 256 characters', claims({ sub: 'a'.repeat(256) })],
      ['a subject that is not ASCII', claims({ sub: 'Ада' })],
    ],
  },
};
const CASES = Object.entries(FAILURES).flatMap(([outcome, byCode]) =>
  Object.entries(byCode).flatMap(([code, failing]) =>
    failing.map(([title, attempt, word = null]) => ({ outcome, code, word, title, attempt })),
  ),
);

describe('a sign-in that fails has one word for people, and the reason for the operator', () => {
  test.each(CASES)('$outcome ($code, $word): $title', async ({ outcome, code, word, attempt }) => {
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
        ...words('ENOTFOUND CERT_HAS_EXPIRED DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN'),
        ...words('UNABLE_TO_VERIFY_LEAF_SIGNATURE UNABLE_TO_GET_ISSUER_CERT_LOCALLY'),
        ...words('ERR_TLS_CERT_ALTNAME_INVALID ERR_SSL_WRONG_VERSION_NUMBER'),
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
