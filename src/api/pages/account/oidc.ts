import * as client from 'openid-client';

import type { Identity } from '../../../access/accounts/identities.ts';
import { RetryableError } from '../../../platform/errors.ts';

/** Signing in at a provider of OpenID Connect: the code flow with PKCE, a state and a nonce. */
export interface Oidc {
  /** The provider's host, for people. */
  readonly name: string;
  /** @throws {RetryableError} where the provider does not answer. */
  begin(redirectUri: string): Promise<Begun>;
  /** Who came back; null where the answer is not one to what was begun, or the provider refuses it. */
  finish(answer: URL, begun: Secrets): Promise<Identity | null>;
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
  /** Where the browser goes. */
  readonly url: string;
}

export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** null for a client without one: PKCE alone. */
  readonly clientSecret: string | null;
  /** Subjects that may sign in, `*` for all that the provider has. */
  readonly allow: readonly string[];
}

const TIMEOUT_S = 4;
const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:\/|$)/;

export function createOidc({ issuer, clientId, clientSecret, allow }: OidcSettings): Oidc {
  let known: Promise<client.Configuration> | null = null;

  return {
    name: new URL(issuer).host,

    allows: ({ subject }) => allow.includes('*') || allow.includes(subject),

    async begin(redirectUri) {
      const provider = await discovered();
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
      return { url: url.href, state, nonce, verifier };
    },

    async finish(answer, { state, nonce, verifier }) {
      const provider = await discovered();
      try {
        const tokens = await client.authorizationCodeGrant(provider, answer, {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        return claims ? { issuer: claims.iss, subject: claims.sub } : null;
      } catch (thrown) {
        // A refusal of the provider, or an answer that proves nothing; what it says of itself is shown to nobody.
        if (thrown instanceof Error) return null;
        throw thrown;
      }
    },
  };

  /** Once; a provider that did not answer is asked again by the next who comes. */
  async function discovered(): Promise<client.Configuration> {
    const isLocal = LOOPBACK.test(issuer);
    const asked = (known ??= client.discovery(
      new URL(issuer),
      clientId,
      clientSecret ?? undefined,
      clientSecret === null ? client.None() : undefined,
      { timeout: TIMEOUT_S, ...(isLocal ? { execute: [client.allowInsecureRequests] } : {}) },
    ));
    try {
      return await asked;
    } catch (cause) {
      known = null;
      throw new RetryableError('The provider of identities does not answer', { cause });
    }
  }
}
