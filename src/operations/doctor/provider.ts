import { notChecked, ok, problem, type Area } from './check.ts';
import texts from './texts.json' with { type: 'json' };

/** Reads the metadata of the provider of identities, as a sign-in would, and compares the issuer. */
export const providerArea: Area = {
  name: 'provider',
  roles: ['project', 'accounts'],
  checks: ({ config: { oidc } }) => [
    {
      name: 'issuer',
      hint: texts.provider.unreachable,
      look: async () => {
        if (oidc === null) return notChecked('no provider of identities is configured.');
        const { discover } = await import('../../api/pages/account/oidc/discovery.ts');
        const found = await discover(oidc);
        if (found.outcome === 'discovered') {
          const method = found.tokenAuth === 'none' ? 'PKCE alone' : `client_secret_${found.tokenAuth}`;
          return ok(`its metadata names the issuer ${found.issuer}; the client proves itself by ${method}.`);
        }
        const hint =
          found.outcome === 'unreachable' ? texts.provider.unreachable : texts.provider.misconfigured;
        const message = `${found.reason} (${found.code}).`;
        return problem(message, found.code === 'TOKEN_AUTH' ? texts.provider.token : hint);
      },
    },
  ],
};
