import { describe, expect, onTestFinished, test } from 'vitest';

import { LOCALES } from '../../../src/texts/texts.ts';
import { createOidc } from '../../../src/api/pages/account/oidc/code-flow.ts';
import { readConfig } from '../../../src/config.ts';
import type { RunningApi } from '../../support/api.ts';
import { freePort } from '../../support/free-ports.ts';
import { comeBack, leaveForProvider, pendingOf, signInWith } from '../../support/identities.ts';
import { startProvider, type ProviderKind, type RunningProvider } from '../../support/oidc-provider.ts';
import { runPages } from '../../support/pages.ts';
import { formsOf, visitor, type Visitor } from '../../support/visitor.ts';

// https://www.authelia.com/configuration/identity-providers/openid-connect/clients/: `token_endpoint_auth_method`
const AUTHELIA = [
  'client_secret_basic',
  'client_secret_post',
  'client_secret_jwt',
  'private_key_jwt',
  'none',
] as const;
// https://www.keycloak.org/securing-apps/oidc-layers
const KEYCLOAK = {
  path: '/realms/catalog',
  methods: ['private_key_jwt', 'client_secret_basic', 'client_secret_post', 'client_secret_jwt'],
} as const;

/** Providers as their manuals describe them: the form of the issuer, how clients prove themselves, what the metadata says of it. */
const PROVIDER_KINDS: readonly (readonly [string, ProviderKind])[] = [
  [
    'Authelia, with a client of `client_secret_basic`',
    { methods: AUTHELIA, registered: 'client_secret_basic' },
  ],
  ['Authelia, with a public client', { methods: AUTHELIA, registered: 'none', alg: 'ES256' }],
  ['Keycloak, with a confidential client of a realm', { ...KEYCLOAK, registered: 'client_secret_basic' }],
  [
    'Keycloak, with a public client of a realm, whose metadata leaves `none` out',
    { ...KEYCLOAK, registered: 'none' },
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

interface Stage {
  readonly api: RunningApi;
  readonly one: Visitor;
  readonly provider: RunningProvider;
}

/** A catalog whose public address the operator spells in some way, at a provider that knows the one spelling of it. */
async function openStage(
  kind: ProviderKind = {},
  environment: (at: {
    readonly url: string;
    readonly issuer: string;
  }) => Readonly<Record<string, string>> = () => ({}),
): Promise<Stage> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const provider = await startProvider(
    LOCALES.map((locale) => `${url}/${locale}/account/callback`),
    kind,
  );
  onTestFinished(() => provider[Symbol.asyncDispose]());
  const { oidc, publicUrl } = readConfig({
    ...provider.environment,
    CATALOG_OIDC_ALLOW: '*',
    CATALOG_PUBLIC_URL: url,
    ...environment({ url, issuer: provider.issuer }),
  });
  if (oidc === null || publicUrl === null) throw new Error('No provider is configured');
  const api = await runPages({ port, publicUrl, oidc: createOidc(oidc), trustedProxies: ['loopback'] });
  onTestFinished(() => api[Symbol.asyncDispose]());
  return { api, provider, one: visitor(api.url) };
}

/** Lines about sign-ins that failed. */
function failuresIn({ log }: RunningApi) {
  return log
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
    .filter(({ msg }) => msg === 'a sign-in at the provider failed');
}

const SIGNED_IN = /Account oidc-[0-9a-f]{40}\./;

test.each(PROVIDER_KINDS)('somebody signs in at %s', async (_name, kind) => {
  const { api, provider, one } = await openStage(kind);
  const page = await signInWith(provider, one, 'ada');
  expect(page.text).toMatch(SIGNED_IN);
  expect(failuresIn(api)).toEqual([]);
});

describe('two tabs of a browser', () => {
  async function leaveTwice({ provider, one }: Stage): Promise<readonly [string, string]> {
    const first = await leaveForProvider(one);
    const second = await leaveForProvider(one, '/ru/account');
    return [await provider.signIn(first, 'ada'), await provider.signIn(second, 'ada')];
  }

  test.each([
    ['first', 0, 1],
    ['second', 1, 0],
  ] as const)('sign in at once, whichever comes back sooner: the %s', async (_name, sooner, later) => {
    const stage = await openStage();
    const { one } = stage;
    const addresses = await leaveTwice(stage);
    const page = await comeBack(one, addresses[sooner]);
    expect(page.status).toBe(200);
    const session = one.cookies.get('catalog_session');
    expect((await comeBack(one, addresses[later])).status).toBe(200);
    // The pages of the first tab are still those of whoever is signed in.
    expect(one.cookies.get('catalog_session')).toBe(session);
    expect(failuresIn(stage.api)).toEqual([]);
  });

  test('are opened at once, before either has an answer: the forms of both hold', async () => {
    const { provider, one } = await openStage();
    const pages = await Promise.all([one.get('/en/account'), one.get('/en/account')]);
    const address = await provider.signIn(await leaveForProvider(one, null), 'ada');
    for (const page of pages) {
      const [form] = formsOf(page.text);
      expect((await one.post('/en/account/identity', form?.fields ?? {})).status).toBe(200);
    }
    expect((await comeBack(one, address)).text).toMatch(SIGNED_IN);
    expect([...one.cookies.keys()].filter((name) => name.startsWith('catalog_visit'))).toEqual([]);
  });

  test('go on as another person, who then has a session of their own', async () => {
    const { api, provider, one } = await openStage();
    const first = await leaveForProvider(one);
    const second = await leaveForProvider(one);
    const [ada, grace] = [await provider.signIn(first, 'ada'), await provider.signIn(second, 'grace')];
    const account = SIGNED_IN.exec((await comeBack(one, ada)).text)?.[0];
    const session = one.cookies.get('catalog_session');
    expect(SIGNED_IN.exec((await comeBack(one, grace)).text)?.[0]).not.toBe(account);
    expect(await api.accounts.sessions.find(String(session))).toBeNull();
  });

  test('a fifth sign-in ends the oldest of a browser, and no other', async () => {
    const { api, provider, one } = await openStage();
    const leaving: string[] = [];
    for (let tab = 0; tab < 5; tab += 1) {
      api.clock.movedMs += 1000;
      leaving.push(await leaveForProvider(one));
    }
    const pending = [...one.cookies.keys()].filter((name) => name.startsWith('catalog_identity'));
    expect(pending.length).toBe(4);
    const [oldest = '', next = ''] = leaving;
    expect((await comeBack(one, await provider.signIn(oldest, 'ada'))).status).toBe(410);
    expect((await comeBack(one, await provider.signIn(next, 'ada'))).text).toMatch(SIGNED_IN);
  });
});

describe('each way to fail has words of its own', () => {
  test('reloading the address that a sign-in came back to changes nothing', async () => {
    const { provider, one } = await openStage();
    const address = await provider.signIn(await leaveForProvider(one), 'ada');
    await comeBack(one, address);
    const session = one.cookies.get('catalog_session');
    const again = await comeBack(one, address);
    expect([again.status, one.cookies.get('catalog_session')]).toEqual([200, session]);
    expect(again.text).toMatch(SIGNED_IN);
  });

  test.each([
    ['en', 'You did not sign in: it was cancelled'],
    ['ru', 'Вход не выполнен: он отменён'],
  ])('whoever cancels is back where they began, and that is no failure: %s', async (locale, words) => {
    const { api, one } = await openStage();
    const leaving = await leaveForProvider(one, `/${locale}/account`);
    const page = await comeBack(one, refusal(leaving, 'access_denied'));
    expect(page.status).toBe(200);
    expect(page.text).toContain(words);
    expect([...one.cookies.keys()].filter((name) => name.startsWith('catalog_identity'))).toEqual([]);
    expect(failuresIn(api)).toEqual([]);
    const joining = await leaveForProvider(one, `/${locale}/account/sign-in?link=a-link`);
    const [form] = formsOf((await comeBack(one, refusal(joining, 'access_denied'))).text);
    expect(form?.fields).toMatchObject({ link: 'a-link' });
  });

  test.each([
    ['login_required', 502, 'The provider did not sign you in', 'refused'],
    ['temporarily_unavailable', 503, 'The provider does not answer', 'unreachable'],
    ['invalid_scope', 500, 'Signing in at the provider is not set up correctly', 'misconfigured'],
  ])('%s', async (word, status, title, outcome) => {
    const { api, one } = await openStage();
    const page = await comeBack(one, refusal(await leaveForProvider(one), word));
    expect(page.status).toBe(status);
    expect(page.text).toContain(title);
    const code = 'OAUTH_AUTHORIZATION_RESPONSE_ERROR';
    expect(failuresIn(api)).toMatchObject([{ level: 'warn', outcome, word, code }]);
  });

  test('a provider that is not there is told before anybody leaves for it', async () => {
    const issuer = `http://127.0.0.1:${await freePort()}`;
    const { api, one } = await openStage({}, () => ({ CATALOG_OIDC_ISSUER: issuer }));
    await one.get('/en/account');
    const page = await one.send('/account/identity');
    expect([page.status, page.headers.get('retry-after')]).toEqual([503, '10']);
    expect(failuresIn(api)).toMatchObject([{ outcome: 'unreachable', code: 'ECONNREFUSED', word: null }]);
  });

  test('a sign-in whose cookie was lost is over; and nobody fills the log with that', async () => {
    const { api, provider, one } = await openStage();
    const { pathname, search } = new URL(await provider.signIn(await leaveForProvider(one), 'ada'));
    one.cookies.delete(pendingOf(one)[0]);
    for (let caller = 1; caller <= 30; caller += 1) {
      const page = await one.get(`${pathname}${search}`, { 'x-forwarded-for': `203.0.113.${caller}` });
      expect([page.status, page.text]).toEqual([410, expect.stringContaining('This sign-in is over')]);
    }
    const lines = failuresIn(api);
    expect(lines[0]).toMatchObject({ outcome: 'stale', code: 'STATE' });
    // Ten at once, and ten a minute.
    expect(lines.length).toBeLessThan(30);
  });
});

/** The address to which a provider sends somebody back whom it does not sign in. */
function refusal(asked: string, error: string): string {
  const { searchParams, origin } = new URL(asked);
  const answer = new URL(String(searchParams.get('redirect_uri')));
  answer.search = String(
    new URLSearchParams({ error, state: String(searchParams.get('state')), iss: origin }),
  );
  return answer.href;
}
