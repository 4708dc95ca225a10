import { notChecked, ok, problem, type Area } from './check.ts';

const HINTS = {
  unreachable:
    'Is CATALOG_OIDC_ISSUER right, and may this machine reach it? Until then nobody signs in there.',
  misconfigured:
    'Set CATALOG_OIDC_ISSUER letter by letter as the provider writes it in its metadata: docs/guides/accounts.md.',
  token: 'Register the client with a secret, or for PKCE alone: docs/guides/accounts.md.',
} as const;

/** Reads the metadata of the provider of identities, as a sign-in would, and compares the issuer. */
export const providerArea: Area = {
  name: 'provider',
  roles: ['project', 'accounts'],
  checks: ({ config: { oidc } }) => [
    {
      name: 'issuer',
      hint: HINTS.unreachable,
      look: async () => {
        if (oidc === null) return notChecked('no provider of identities is configured.');
        const { discover } = await import('../../api/pages/account/oidc/discovery.ts');
        const found = await discover(oidc);
        if (found.outcome === 'discovered') {
          const method = found.tokenAuth === 'none' ? 'PKCE alone' : `client_secret_${found.tokenAuth}`;
          return ok(`its metadata names the issuer ${found.issuer}; the client proves itself by ${method}.`);
        }
        const hint = found.outcome === 'unreachable' ? HINTS.unreachable : HINTS.misconfigured;
        const message = `${found.reason} (${found.code}).`;
        return problem(message, found.code === 'TOKEN_AUTH' ? HINTS.token : hint);
      },
    },
  ],
};
