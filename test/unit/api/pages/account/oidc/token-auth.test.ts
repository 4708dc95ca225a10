import { expect, test } from 'vitest';

import { attemptSignIn, SECRET, taking, type Attempt } from '../../../../../support/fake-sign-in.ts';

const AZURE = taking('client_secret_post', 'private_key_jwt', 'client_secret_basic');
const PUBLIC: Pick<Attempt, 'settings'> = { settings: { clientSecret: null } };

test.each<readonly [string, string, Attempt]>([
  ['basic', 'by its secret in a header where the metadata is silent', {}],
  ['basic', 'so too where the list is empty', taking()],
  [
    'basic',
    'so too where the list is no list',
    { metadata: () => ({ token_endpoint_auth_methods_supported: 'all' }) },
  ],
  ['basic', 'in a header where the provider takes nothing else', taking('client_secret_basic')],
  [
    'basic',
    'in a header where it takes both, as Google does',
    taking('client_secret_post', 'client_secret_basic'),
  ],
  [
    'post',
    'in the form where the provider takes nothing else',
    taking('client_secret_post', 'private_key_jwt'),
  ],
  ['post', 'in the form where the operator insists', { ...AZURE, settings: { tokenAuth: 'post' } }],
  [
    'basic',
    'in a header where the operator insists, whatever the metadata says',
    { ...taking('client_secret_post'), settings: { tokenAuth: 'basic' } },
  ],
  ['none', 'by PKCE alone where it has no secret', { ...taking('none'), ...PUBLIC }],
  ['none', 'so too where the operator insists and has a secret', { settings: { tokenAuth: 'none' } }],
  ['none', 'so too where the provider takes no secret', taking('none')],
])('the client proves itself at the token endpoint %s: %s', async (method, _title, attempt) => {
  const { provider, outcome } = await attemptSignIn(attempt);
  expect(outcome).toEqual({ outcome: 'identified', identity: { issuer: provider.issuer, subject: 'ada' } });
  const secret = method === 'none' ? null : SECRET;
  expect(provider.authentications).toEqual([{ method, id: 'catalog', secret }]);
});
