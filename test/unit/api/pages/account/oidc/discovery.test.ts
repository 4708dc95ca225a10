import { describe, expect, test } from 'vitest';

import { asHtml, attemptSignIn, inHalf, taking, type Attempt } from '../../../../../support/fake-sign-in.ts';
import { freePort } from '../../../../../support/free-ports.ts';

const metadata = (changed: Readonly<Record<string, unknown>>): Attempt => ({ metadata: () => changed });
const discovery = (answer: NonNullable<Attempt['discovery']>): Attempt => ({ discovery: answer });

/** By what people are told, and by the code for the log. */
const FAILURES: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, Attempt>>>>>> = {
  misconfigured: {
    OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: {
      'an issuer with one slash more than ours': {
        path: '/realms/catalog',
        metadata: (issuer) => ({ issuer: `${issuer}/` }),
      },
      'another issuer': metadata({ issuer: 'https://id.example' }),
    },
    ERR_INVALID_URL: { 'an issuer that is no address': metadata({ issuer: 'catalog' }) },
    OAUTH_INVALID_RESPONSE: { 'no issuer': metadata({ issuer: undefined }) },
    OAUTH_RESPONSE_IS_NOT_CONFORM: {
      'no metadata at this address': discovery((response) => void response.writeHead(404).end()),
      'metadata somewhere else': discovery(
        (response) => void response.writeHead(302, { Location: '/login' }).end(),
      ),
    },
    OAUTH_RESPONSE_IS_NOT_JSON: { 'a page of HTML in the place of metadata': discovery(asHtml(200)) },
    OAUTH_PARSE_ERROR: { 'half of the metadata': discovery(inHalf) },
    OAUTH_MISSING_SERVER_METADATA: {
      'no authorization endpoint': metadata({ authorization_endpoint: undefined }),
    },
    TOKEN_AUTH: { 'no way of proving itself that we have': taking('private_key_jwt', 'client_secret_jwt') },
    NOT_SENT: { 'a port that is never asked': { settings: { issuer: 'http://127.0.0.1:6000' } } },
  },
  unreachable: {
    OAUTH_RESPONSE_IS_NOT_CONFORM: {
      'a provider in trouble': discovery(asHtml(502)),
      'a provider that was asked too often': discovery(asHtml(429)),
    },
  },
};
const CASES = Object.entries(FAILURES).flatMap(([outcome, byCode]) =>
  Object.entries(byCode).flatMap(([code, attempts]) =>
    Object.entries(attempts).map(([title, attempt]) => ({ outcome, code, title, attempt })),
  ),
);

describe('what can never work is known before anybody is sent away, and is no outage', () => {
  test.each(CASES)('$outcome ($code): $title', async ({ outcome, code, attempt }) => {
    const answer = await attemptSignIn(attempt);
    expect(answer.outcome).toMatchObject({ outcome, code });
    expect(answer.provider.authentications).toEqual([]);
  });

  test('a provider that is not there, or says nothing, does not answer', async () => {
    const issuer = `http://127.0.0.1:${await freePort()}`;
    const { outcome } = await attemptSignIn({ settings: { issuer } });
    expect(outcome).toMatchObject({ outcome: 'unreachable', code: 'ECONNREFUSED' });
    const silent = await attemptSignIn({ discovery: () => undefined });
    expect(silent.outcome).toMatchObject({ outcome: 'unreachable', code: 'OAUTH_TIMEOUT' });
  });

  test('a provider that did not answer is asked again by the next who comes', async () => {
    let asked = 0;
    const { outcome } = await attemptSignIn({
      discovery: (response) => asHtml((asked += 1) === 1 ? 503 : 404)(response),
      times: 2,
    });
    expect(asked).toBe(2);
    expect(outcome).toMatchObject({ outcome: 'misconfigured' });
  });

  test('a provider that has moved its token endpoint is asked anew where that is', async () => {
    let asked = 0;
    await attemptSignIn({ metadata: () => ({ x: (asked += 1) }), token: asHtml(404), times: 2 });
    expect(asked).toBe(2);
  });
});
