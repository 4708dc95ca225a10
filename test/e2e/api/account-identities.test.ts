import { afterAll, describe, expect, test } from 'vitest';

import { LOCALES } from '../../../src/texts/texts.ts';
import { createOidc, type Oidc } from '../../../src/api/pages/account/oidc/code-flow.ts';
import { accountStage } from '../../support/account-stage.ts';
import { comeBack, leaveForProvider, pendingOf, signInWith } from '../../support/identities.ts';
import { startProvider, type RunningProvider } from '../../support/oidc-provider.ts';
import { runPages } from '../../support/pages.ts';
import { freePort } from '../../support/free-ports.ts';
import { formsOf, keyIn, visitor, type Visitor } from '../../support/visitor.ts';

const HOUR = 3_600_000;
/** Requests for account pages that are with the stores at a time. */
const PLACES = 4;

function accountIn(page: string): string {
  return /Account ([\w-]+)\./.exec(page)?.[1] ?? '';
}

/** Signing in at a real provider of OpenID Connect. */

let provider: RunningProvider;
const stage = accountStage(async () => {
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  provider = await startProvider(LOCALES.map((locale) => `${publicUrl}/${locale}/account/callback`));
  const oidc = createOidc({ ...provider, tokenAuth: null, allow: ['ada', 'grace', 'joan', 'mary'] });
  return { port, publicUrl, oidc };
});
afterAll(() => provider?.[Symbol.asyncDispose]());

async function signIn(one: Visitor, subject: string, page = '/en/account') {
  // So that attempts to sign in are those of single people.
  stage.api.clock.movedMs += 60_000;
  return await signInWith(provider, one, subject, page);
}

describe('an identity that the operator lets in', () => {
  test('has an account of its own, the same each time, named by a digest; its first key works', async () => {
    const [one, again] = [visitor(stage.api.url), visitor(stage.api.url)];
    const account = accountIn((await signIn(one, 'ada')).text);
    expect(account).toMatch(/^oidc-[0-9a-f]{40}$/);
    expect(accountIn((await signIn(again, 'ada')).text)).toBe(account);
    expect(accountIn((await signIn(visitor(stage.api.url), 'grace')).text)).not.toBe(account);
    await one.get('/en/account');
    const made = await one.send('/account/keys', { label: 'mine' });
    const key = keyIn(made.text);
    const answer = await fetch(`${stage.api.url}/api/v1/top`, { headers: { 'x-api-key': key } });
    expect(answer.status).toBe(200);
  });

  test('leaves nothing of the provider in the store', async () => {
    await signIn(visitor(stage.api.url), 'grace');
    const stored: string[] = [];
    for (const name of await stage.api.documents.collections())
      for await (const batch of stage.api.documents.scan(name)) stored.push(JSON.stringify(batch));
    expect(stored.join('\n')).not.toContain('grace');
    expect(stored.join('\n')).not.toContain(provider.issuer);
  });

  test('joins an existing account by invitation alone, and is signed in there from then on', async () => {
    const { token } = await stage.api.accounts.invite('team', HOUR);
    const own = accountIn((await signIn(visitor(stage.api.url), 'joan')).text);
    expect(own).toMatch(/^oidc-/);
    const joined = await signIn(visitor(stage.api.url), 'joan', `/en/account/sign-in?link=${token}`);
    expect(accountIn(joined.text)).toBe('team');
    expect(joined.text).toContain('An identity joined the account');
    // By whoever came with it, and by no operator.
    const history = await stage.api.accounts.history('team', 2);
    const [signedIn, joining] = (['signed_in', 'identity_joined'] as const).map((action) =>
      history.find((one) => one.action === action),
    );
    expect(signedIn?.session).toMatch(/^[\w-]{8}$/);
    expect(joining?.session).toBe(signedIn?.session);
    expect(accountIn((await signIn(visitor(stage.api.url), 'joan')).text)).toBe('team');
    // The link is used up, for links and for identities.
    const refused = await signIn(visitor(stage.api.url), 'mary', `/en/account/sign-in?link=${token}`);
    expect(refused.status).toBe(410);
    expect(accountIn((await signIn(visitor(stage.api.url), 'mary')).text)).toMatch(/^oidc-/);
  });
});

describe('nobody else is signed in', () => {
  test('an identity that the operator does not name, and it has used up no link', async () => {
    const { token } = await stage.api.accounts.invite('closed', HOUR);
    const one = visitor(stage.api.url);
    const page = await signIn(one, 'eve', `/en/account/sign-in?link=${token}`);
    expect(page.status).toBe(403);
    expect(one.cookies.has('catalog_session')).toBe(false);
    expect((await stage.api.accounts.signInByLink(token, null)).outcome).toBe('signed_in');
  });

  test('by default no identity is let in', () => {
    const oidc = createOidc({ ...provider, tokenAuth: null, allow: [] });
    expect(oidc.allows({ issuer: provider.issuer, subject: 'ada' })).toBe(false);
    const everybody = createOidc({ ...provider, tokenAuth: null, allow: ['*'] });
    expect(everybody.allows({ issuer: provider.issuer, subject: 'ada' })).toBe(true);
  });

  test('an answer of the provider in another browser than the one that asked', async () => {
    stage.api.clock.movedMs += 60_000;
    const [attacker, victim] = [visitor(stage.api.url), visitor(stage.api.url)];
    const address = await provider.signIn(await leaveForProvider(attacker), 'ada');
    const page = await comeBack(victim, address);
    expect(page.status).toBe(410);
    expect(page.text).toContain('This sign-in is over');
    // Also where the victim has begun a sign-in of its own.
    await leaveForProvider(victim);
    expect((await comeBack(victim, address)).status).toBe(410);
    expect(victim.cookies.has('catalog_session')).toBe(false);
  });

  test('an answer that was used, is older than ten minutes, or whose cookie was changed', async () => {
    stage.api.clock.movedMs += 60_000;
    const one = visitor(stage.api.url);
    const address = await provider.signIn(await leaveForProvider(one), 'ada');
    const [name, value] = pendingOf(one);
    expect((await comeBack(one, address)).status).toBe(200);
    one.cookies.delete('catalog_session');
    expect((await comeBack(one, address)).status).toBe(410);
    // The code is used up at the provider, too.
    one.cookies.set(name, value);
    expect((await comeBack(one, address)).status).toBe(502);

    const late = visitor(stage.api.url);
    const again = await provider.signIn(await leaveForProvider(late), 'ada');
    stage.api.clock.movedMs += 601_000;
    expect((await comeBack(late, again)).status).toBe(410);

    const changed = visitor(stage.api.url);
    const third = await provider.signIn(await leaveForProvider(changed), 'ada');
    const [cookie, sealed] = pendingOf(changed);
    const [text = '', proof = ''] = sealed.split('.');
    const other = JSON.parse(Buffer.from(text, 'base64url').toString()) as object;
    const forged = Buffer.from(JSON.stringify({ ...other, link: 'x' })).toString('base64url');
    changed.cookies.set(cookie, `${forged}.${proof}`);
    expect((await comeBack(changed, third)).status).toBe(410);
  });

  test('a form of another site leads to no provider', async () => {
    const one = visitor(stage.api.url);
    const [form] = formsOf((await one.get('/en/account')).text);
    const page = await one.post('/en/account/identity', form?.fields ?? {}, {
      origin: 'https://evil.example',
    });
    expect(page.status).toBe(403);
    expect((await one.post('/en/account/identity', { csrf: 'x' })).status).toBe(403);
  });
});

test('what the provider is asked for is the code flow with PKCE, and no more than an identity', async () => {
  stage.api.clock.movedMs += 60_000;
  const one = visitor(stage.api.url);
  const url = new URL(await leaveForProvider(one, '/ru/account'));
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    response_type: 'code',
    scope: 'openid',
    code_challenge_method: 'S256',
    redirect_uri: `${stage.api.url}/ru/account/callback`,
  });
  expect(url.searchParams.get('state')?.length).toBeGreaterThan(20);
  expect(url.searchParams.get('nonce')?.length).toBeGreaterThan(20);
});

test('a provider that takes its time holds up nobody who needs none', async () => {
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  let waiting = 0;
  const slow: Oidc = {
    name: 'slow.example',
    allows: () => true,
    begin: async () => {
      waiting += 1;
      if (waiting === PLACES) asked.resolve();
      await answered.promise;
      return { outcome: 'unreachable', code: 'OAUTH_TIMEOUT', word: null, reason: 'it took too long' };
    },
    finish: () => Promise.reject(new Error('Nobody comes back')),
  };
  await using slowApi = await runPages({ oidc: slow });
  const people = await Promise.all(
    Array.from({ length: PLACES }, async () => {
      const one = visitor(slowApi.url);
      await one.get('/en/account');
      return one;
    }),
  );
  const attempts = people.map((one) => one.send('/account/identity'));
  await asked.promise;
  expect((await visitor(slowApi.url).get('/en/account')).status).toBe(200);
  answered.resolve();
  for (const attempt of attempts) expect((await attempt).status).toBe(503);
});
