import * as client from 'openid-client';

import type { Identity } from '../../../../access/accounts/identities.ts';
import { withTimeLimit } from '../../../../stores/time-limit.ts';
import { discover, TIMEOUT_S, type Discovered } from './discovery.ts';
import { fail, failureOf, type SignInFailure } from './failure.ts';
import type { OidcSettings } from './settings.ts';

/** Signing in at a provider of OpenID Connect: the code flow with PKCE, a state and a nonce. */
export interface Oidc {
  /** The provider's host, for people. */
  readonly name: string;
  begin(redirectUri: string): Promise<Begun | SignInFailure>;
  /** Who came back. */
  finish(answer: URL, begun: Secrets): Promise<Identified | SignInFailure>;
  /** Whether the operator lets this identity in. */
  allows(identity: Identity): boolean;
}

/** What the browser keeps until it comes back. */
export interface Secrets {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

interface Begun extends Secrets {
  readonly outcome: 'begun';
  /** Where the browser goes. */
  readonly url: string;
}

interface Identified {
  readonly outcome: 'identified';
  readonly identity: Identity;
}

/** `sub` "MUST NOT exceed 255 ASCII characters in length" (OpenID Connect Core 1.0, section 2); empty it would be everybody's. */
const SUBJECT = /^[\0-\x7f]{1,255}$/;

export function createOidc(settings: OidcSettings): Oidc {
  const { issuer, allow } = settings;
  let known: Promise<Discovered | SignInFailure> | null = null;

  return {
    name: new URL(issuer).host,

    allows: ({ subject }) => allow.includes('*') || allow.includes(subject),

    begin: (redirectUri) =>
      withProvider(async (provider) => {
        const verifier = client.randomPKCECodeVerifier();
        const [state, nonce] = [client.randomState(), client.randomNonce()];
        const url = client.buildAuthorizationUrl(provider, {
          redirect_uri: redirectUri,
          scope: 'openid',
          code_challenge: await client.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
          state,
          nonce,
        });
        return { outcome: 'begun', url: url.href, state, nonce, verifier };
      }),

    finish: (answer, { state, nonce, verifier }) =>
      withProvider(async (provider) => {
        const tokens = await client.authorizationCodeGrant(provider, answer, {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
        });
        const { iss = '', sub = '' } = tokens.claims() ?? {};
        if (!SUBJECT.test(sub))
          return fail('refused', 'SUBJECT', 'the subject is empty, too long or not ASCII');
        return { outcome: 'identified', identity: { issuer: iss, subject: sub } };
      }),
  };

  /** All that is asked of the provider for one visit takes as long as one request may. */
  async function withProvider<T>(
    work: (provider: client.Configuration) => Promise<T>,
  ): Promise<T | SignInFailure> {
    const used = (known ??= discover(settings));
    const asked = async () => {
      const discovered = await used;
      if (discovered.outcome !== 'discovered') forget(used);
      return discovered.outcome === 'discovered' ? await work(discovered.provider) : discovered;
    };
    try {
      return await withTimeLimit(asked(), TIMEOUT_S * 1000, `the provider took longer than ${TIMEOUT_S} s`);
    } catch (thrown) {
      // What a browser brings back says nothing of the provider's addresses.
      const isOfProvider = !(thrown instanceof client.AuthorizationResponseError);
      const failure = failureOf(thrown);
      if (isOfProvider && ['misconfigured', 'unreachable'].includes(failure.outcome)) forget(used);
      return failure;
    }
  }

  /** A provider that did not answer, or as something else, may have moved an address: the next who comes asks it where they are. */
  function forget(used: typeof known): void {
    if (known === used) known = null;
  }
}
