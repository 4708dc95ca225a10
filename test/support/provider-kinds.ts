import type { ProviderKind } from './oidc-provider.ts';

/** Providers as their manuals describe them: the form of the issuer, how clients prove themselves, what the metadata says of it. */
export const PROVIDER_KINDS: readonly (readonly [string, ProviderKind])[] = [
  [
    // https://www.authelia.com/configuration/identity-providers/openid-connect/clients/: `token_endpoint_auth_method`
    'Authelia, with a client of `client_secret_basic`',
    {
      methods: ['client_secret_basic', 'client_secret_post', 'client_secret_jwt', 'private_key_jwt', 'none'],
      registered: 'client_secret_basic',
    },
  ],
  [
    'Authelia, with a public client',
    {
      methods: ['client_secret_basic', 'client_secret_post', 'client_secret_jwt', 'private_key_jwt', 'none'],
      registered: 'none',
      alg: 'ES256',
    },
  ],
  [
    // https://www.keycloak.org/securing-apps/oidc-layers
    'Keycloak, with a confidential client of a realm',
    {
      path: '/realms/catalog',
      methods: ['private_key_jwt', 'client_secret_basic', 'client_secret_post', 'client_secret_jwt'],
      registered: 'client_secret_basic',
    },
  ],
  [
    'Keycloak, with a public client of a realm, whose metadata leaves `none` out',
    {
      path: '/realms/catalog',
      methods: ['private_key_jwt', 'client_secret_basic', 'client_secret_post', 'client_secret_jwt'],
      registered: 'none',
    },
  ],
  [
    // https://learn.microsoft.com/entra/identity-platform/v2-protocols-oidc
    'Azure, with a tenant in its path',
    {
      path: '/5c9a2f0e-1d4b-4c77-9a53-0f6b3d2e8a11/v2.0',
      methods: ['client_secret_post', 'private_key_jwt', 'client_secret_basic'],
      registered: 'client_secret_basic',
    },
  ],
  [
    // https://accounts.google.com/.well-known/openid-configuration
    'Google',
    { methods: ['client_secret_post', 'client_secret_basic'], registered: 'client_secret_basic' },
  ],
  [
    'a provider that takes the secret in the form alone',
    { methods: ['client_secret_post'], registered: 'client_secret_post' },
  ],
  ['a provider whose metadata is silent', { methods: null, registered: 'client_secret_basic' }],
];
