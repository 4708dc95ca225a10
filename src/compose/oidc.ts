import type { Oidc } from '../api/pages/account/oidc.ts';
import type { OidcConfig } from '../config.ts';

/** The provider of identities, where one is configured: else its library is not even loaded. */
export async function composeOidc(config: OidcConfig | null): Promise<Oidc | undefined> {
  if (config === null) return undefined;
  const { createOidc } = await import('../api/pages/account/oidc.ts');
  return createOidc(config);
}
