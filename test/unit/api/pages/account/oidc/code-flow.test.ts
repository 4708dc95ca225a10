import { describe, expect, test } from 'vitest';

import { attemptSignIn, type Attempt } from '../../../../../support/fake-sign-in.ts';

const secondsFromNow = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

describe('an identity is taken', () => {
  const claims = (changed: Readonly<Record<string, unknown>>): Attempt => ({ claims: () => changed });
  const metadata = (changed: Readonly<Record<string, unknown>>): Attempt => ({ metadata: () => changed });
  const ways: Readonly<Record<string, Attempt>> = {
    'signed by RS256': { alg: 'RS256' },
    'signed by PS256': { alg: 'PS256' },
    'signed by ES256': { alg: 'ES256' },
    'where metadata names no algorithms, which means RS256': metadata({
      id_token_signing_alg_values_supported: undefined,
    }),
    'of an issuer with a slash at its end': { path: '/' },
    'of an issuer whose path ends in a slash': { path: '/application/o/catalog/' },
    'for a list of audiences, authorized for this client': claims({
      aud: ['catalog', 'other'],
      azp: 'catalog',
    }),
    'with fields that nobody asked for': {
      ...claims({ email: 'ada@id.example', groups: ['all'] }),
      ...metadata({ mtls_endpoint_aliases: {}, x: { y: [] } }),
    },
    'of a provider whose clock is 20 seconds behind': claims({ exp: secondsFromNow(-20) }),
    'of a provider whose clock is 20 seconds ahead': claims({
      nbf: secondsFromNow(20),
      iat: secondsFromNow(20),
    }),
    'where JSON names a character set': { contentType: 'application/json;charset=UTF-8' },
    'of a subject of 255 characters': claims({ sub: 'a'.repeat(255) }),
    'where the browser brings the issuer along (RFC 9207)': {
      ...metadata({ authorization_response_iss_parameter_supported: true }),
      answer: (parameters, issuer) => parameters.set('iss', issuer),
    },
    'where the browser brings along a session_state, as from Keycloak and Azure': {
      answer: (parameters) => parameters.set('session_state', 'x'),
    },
  };

  test.each(Object.entries(ways))('%s', async (_title, attempt) => {
    expect((await attemptSignIn(attempt)).outcome).toMatchObject({ outcome: 'identified' });
  });

  test('by one request for the keys, for all that sign in within five minutes', async () => {
    const { provider, outcome } = await attemptSignIn({ times: 3 });
    expect(outcome.outcome).toBe('identified');
    expect(provider.authentications.length).toBe(3);
    expect(provider.keyRequests).toBe(1);
  });
});
