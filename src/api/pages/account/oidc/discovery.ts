import * as client from 'openid-client';

import { fail, failureOf, type SignInFailure } from './failure.ts';
import { TOKEN_AUTHS, type OidcSettings, type TokenAuth } from './settings.ts';

/** What the metadata of a provider says. */
export interface Discovered {
  readonly outcome: 'discovered';
  readonly provider: client.Configuration;
  readonly issuer: string;
  readonly tokenAuth: TokenAuth;
}

/** Seconds that one request to the provider may take. */
export const TIMEOUT_S = 4;
const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:\/|$)/;

/** What metadata calls them, and the library's own. */
const METHODS = {
  basic: ['client_secret_basic', client.ClientSecretBasic()],
  post: ['client_secret_post', client.ClientSecretPost()],
  none: ['none', client.None()],
} as const;

/** Reads the provider's metadata (OpenID Connect Discovery 1.0, section 4), and whether a sign-in there can work at all. */
export async function discover(settings: OidcSettings): Promise<Discovered | SignInFailure> {
  const { issuer, clientId, clientSecret } = settings;
  try {
    const provider = await client.discovery(
      new URL(issuer),
      clientId,
      clientSecret ?? undefined,
      (as, ...rest) => METHODS[methodFor(as, settings) ?? 'none'][1](as, ...rest),
      {
        timeout: TIMEOUT_S,
        execute: [
          // ID tokens are verified by signature (OpenID Connect Core 1.0, section 3.1.3.7), not by TLS alone.
          client.enableNonRepudiationChecks,
          ...(LOOPBACK.test(issuer) ? [client.allowInsecureRequests] : []),
        ],
      },
    );
    const metadata = provider.serverMetadata();
    const tokenAuth = methodFor(metadata, settings);
    if (tokenAuth === null) {
      const taken = String(metadata.token_endpoint_auth_methods_supported);
      return fail(
        'misconfigured',
        'TOKEN_AUTH',
        `its token endpoint takes ${taken}, none of which is offered here`,
      );
    }
    return { outcome: 'discovered', provider, issuer: metadata.issuer, tokenAuth };
  } catch (thrown) {
    const failure = mismatchOf(thrown, issuer) ?? failureOf(thrown);
    // Nobody was there to be refused.
    return failure.outcome === 'refused' ? { ...failure, outcome: 'misconfigured' } : failure;
  }
}

/**
 * How the client proves itself: as the operator insists, else by what the provider takes, which is `client_secret_basic` where
 * its metadata is silent (OpenID Connect Discovery 1.0, section 3). Providers often leave `none` out, so a client without a
 * secret does not ask for it.
 */
function methodFor(metadata: client.ServerMetadata, settings: OidcSettings): TokenAuth | null {
  const { clientSecret, tokenAuth } = settings;
  if (tokenAuth !== null) return tokenAuth;
  if (clientSecret === null) return 'none';
  const listed = metadata.token_endpoint_auth_methods_supported;
  const taken = Array.isArray(listed) && listed.length > 0 ? listed : [METHODS.basic[0]];
  return TOKEN_AUTHS.find((one) => taken.includes(METHODS[one][0])) ?? null;
}

/** The one fault that is told by the two spellings: both are needed to see it. */
function mismatchOf(thrown: unknown, issuer: string): SignInFailure | null {
  if (!(thrown instanceof client.ClientError) || thrown.code !== 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED')
    return null;
  const { body } = thrown.cause as { readonly body: client.ServerMetadata };
  return fail('misconfigured', thrown.code, `its metadata names the issuer ${body.issuer}, not ${issuer}`);
}
