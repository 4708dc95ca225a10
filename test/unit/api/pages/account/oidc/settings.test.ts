import { expect, test } from 'vitest';

import { readConfig } from '../../../../../../src/config.ts';

const PROVIDER = { CATALOG_OIDC_ISSUER: 'https://id.example/realms/x', CATALOG_OIDC_CLIENT_ID: 'catalog' };
const SECRET = { CATALOG_OIDC_CLIENT_SECRET: 'secret' };

test('without an issuer there is no provider, whatever else is set', () => {
  expect(readConfig({ ...SECRET, CATALOG_OIDC_TOKEN_AUTH: 'post' }).oidc).toBeNull();
});

test('a client has no secret, and proves itself as the metadata says, unless somebody says so', () => {
  expect(readConfig(PROVIDER).oidc).toEqual({
    issuer: 'https://id.example/realms/x',
    clientId: 'catalog',
    clientSecret: null,
    tokenAuth: null,
    allow: [],
  });
  const given = readConfig({ ...PROVIDER, ...SECRET, CATALOG_OIDC_TOKEN_AUTH: 'post' });
  expect(given.oidc).toMatchObject({ clientSecret: 'secret', tokenAuth: 'post' });
  expect(readConfig({ ...PROVIDER, CATALOG_OIDC_TOKEN_AUTH: 'none' }).oidc).toMatchObject({
    tokenAuth: 'none',
  });
});

test.each([
  [{ CATALOG_OIDC_CLIENT_ID: '' }, /^CATALOG_OIDC_CLIENT_ID is missing: /],
  [{ CATALOG_OIDC_TOKEN_AUTH: 'basic' }, /^CATALOG_OIDC_CLIENT_SECRET is missing: /],
  [{ CATALOG_OIDC_TOKEN_AUTH: 'jwt' }, /^CATALOG_OIDC_TOKEN_AUTH is wrong: expected basic, post or none\.$/],
  [{ CATALOG_OIDC_ISSUER: 'http://id.example' }, /^CATALOG_OIDC_ISSUER is wrong: expected an https URL\.$/],
  [{ CATALOG_OIDC_ISSUER: 'https://[id.example' }, /^CATALOG_OIDC_ISSUER is wrong: expected an https URL\.$/],
])('refuses %o', (environment, message) => {
  expect(() => readConfig({ ...PROVIDER, ...environment })).toThrow(message);
});
