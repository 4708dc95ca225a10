import type { Oidc } from '../api/pages/account/oidc/oidc.ts';
import type { OidcSettings } from '../api/pages/account/oidc/settings.ts';

/** The provider of identities, where one is configured: else its library is not even loaded. */
export async function composeOidc(settings: OidcSettings | null): Promise<Oidc | undefined> {
  if (settings === null) return undefined;
  const { createOidc } = await import('../api/pages/account/oidc/oidc.ts');
  return createOidc(settings);
}
