import { UsageError } from '../../../../platform/errors.ts';

/** A provider of OpenID Connect, and whom of it may sign in. */
export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** null for a client without one: PKCE alone. */
  readonly clientSecret: string | null;
  /** How the client proves itself at the token endpoint; null for what the provider's metadata says. */
  readonly tokenAuth: TokenAuth | null;
  /** Subjects, or `*` for all that the provider has. */
  readonly allow: readonly string[];
}

/** In this order they are preferred. */
export const TOKEN_AUTHS = ['basic', 'post', 'none'] as const;
export type TokenAuth = (typeof TOKEN_AUTHS)[number];

interface OidcVariables {
  readonly CATALOG_OIDC_ISSUER?: string | undefined;
  readonly CATALOG_OIDC_CLIENT_ID?: string | undefined;
  readonly CATALOG_OIDC_CLIENT_SECRET?: string | undefined;
  readonly CATALOG_OIDC_TOKEN_AUTH?: TokenAuth | undefined;
  readonly CATALOG_OIDC_ALLOW: readonly string[];
}

/**
 * What the variables say together; null where no provider is named.
 * @throws {UsageError} where one of them is missing.
 */
export function readOidcSettings(env: OidcVariables): OidcSettings | null {
  const { CATALOG_OIDC_ISSUER: issuer, CATALOG_OIDC_CLIENT_ID: clientId, CATALOG_OIDC_ALLOW: allow } = env;
  const clientSecret = env.CATALOG_OIDC_CLIENT_SECRET ?? null;
  const tokenAuth = env.CATALOG_OIDC_TOKEN_AUTH ?? null;
  if (issuer === undefined) return null;
  if (clientId === undefined)
    throw new UsageError('CATALOG_OIDC_CLIENT_ID is missing: the provider knows this service by it.');
  if (clientSecret === null && tokenAuth !== null && tokenAuth !== 'none')
    throw new UsageError('CATALOG_OIDC_CLIENT_SECRET is missing: CATALOG_OIDC_TOKEN_AUTH sends it.');
  return { issuer, clientId, clientSecret, tokenAuth, allow };
}
