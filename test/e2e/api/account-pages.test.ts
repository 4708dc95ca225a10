import { describe, expect, test } from 'vitest';

import { accountStage, DAY } from '../../support/account-stage.ts';
import { formsOf, keyIn, visitor } from '../../support/visitor.ts';

/** The account pages as their holders use them. */

const stage = accountStage();
const { holder } = stage;

test('a one-time link is not used up by being opened, and signs one browser in', async () => {
  const { token } = await stage.api.accounts.invite('once', DAY);
  const [first, second] = [visitor(stage.api.url), visitor(stage.api.url)];
  for (const one of [first, second, first]) {
    expect((await one.get(`/en/account/sign-in?link=${token}`)).status).toBe(200);
  }
  await second.send('/account/sign-in');
  expect((await second.get('/en/account')).text).toContain('Account once');
  const refused = await first.send('/account/sign-in');
  expect(refused.status).toBe(410);
  expect((await first.get('/en/account')).text).toContain('Sign in');
});

describe('keys', () => {
  test('are shown once: neither the page nor sending the form again shows one, or makes another', async () => {
    const one = await holder();
    const { text } = await one.get('/en/account');
    const form = formsOf(text).find(({ action }) => action.endsWith('/keys'));
    const made = await one.post('/en/account/keys', { ...form?.fields, label: 'once' });
    const key = keyIn(made.text);
    expect(key).toMatch(/^cat_live_\w{36}$/);
    expect((await one.get('/en/account')).text).not.toContain(key);
    const again = await one.post('/en/account/keys', { ...form?.fields, label: 'once' });
    expect(again.status).toBe(400);
    expect(again.text).toContain('has been sent already');
    expect(again.text).not.toContain('cat_live_');
    expect(await stage.api.keys.list(one.account)).toHaveLength(1);
  });

  test('are five at most, also while one replaces another; at once it may', async () => {
    const one = await holder();
    for (let count = 0; count < 5; count += 1) {
      await one.get('/en/account');
      expect(keyIn((await one.send('/account/keys')).text)).not.toBe('');
    }
    const { text } = await one.get('/en/account');
    expect(text).toContain('All 5 places are taken');
    const fields = formsOf(text).find(({ action }) => action.endsWith('/rotate'))?.fields ?? {};
    expect((await one.post('/en/account/keys', { ...fields, label: 'sixth' })).status).toBe(400);
    const refused = await one.send('/keys/rotate', { overlap: 'hour' });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('End the old key at once, or revoke another one first');
    expect(await stage.api.keys.list(one.account)).toHaveLength(5);
    await one.get('/en/account');
    expect(keyIn((await one.send('/keys/rotate', { overlap: 'now' })).text)).not.toBe('');
    const keys = await stage.api.keys.list(one.account);
    expect(keys.filter(({ revoked_at }) => revoked_at === null)).toHaveLength(5);
  });

  test('are named, replaced with an overlap, and revoked', async () => {
    const one = await holder();
    const old = keyIn((await one.send('/account/keys', { label: 'first' })).text);
    await one.get('/en/account');
    expect((await one.send('/keys/name', { label: 'renamed' })).text).toContain('renamed');
    const replaced = await one.send('/keys/rotate', { overlap: 'hour' });
    const fresh = keyIn(replaced.text);
    expect(replaced.text).toMatch(/The old key k_\w+ works until/);
    const statusOf = async (key: string) =>
      (await fetch(`${stage.api.url}/api/v1/top`, { headers: { 'x-api-key': key } })).status;
    expect([await statusOf(old), await statusOf(fresh)]).toEqual([200, 200]);
    stage.api.clock.movedMs += 3_700_000;
    expect([await statusOf(old), await statusOf(fresh)]).toEqual([401, 200]);
    await one.get('/en/account');
    expect((await one.send('/keys/revoke')).text).toContain('The key is revoked');
    stage.api.clock.movedMs += 2000;
    expect(await statusOf(fresh)).toBe(401);
    const { text } = await one.get('/en/account');
    for (const done of ['Key created', 'Key renamed', 'Key replaced', 'Key revoked', 'Signed in'])
      expect(text).toContain(done);
  });

  test('show what they used today, with what may only be held, and in 30 days', async () => {
    const one = await holder();
    const key = keyIn((await one.send('/account/keys', { label: 'busy' })).text);
    for (let count = 0; count < 3; count += 1) {
      await fetch(`${stage.api.url}/api/v1/top?limit=${count + 1}`, { headers: { 'x-api-key': key } });
    }
    const { text } = await one.get('/en/account');
    const [, counted, held = 0] =
      /<dd>\s*(\d+) of 1,000\s*(?:<[^>]+>± (\d+)<\/span>)?\s*<svg/.exec(text) ?? [];
    expect(Number(counted)).toBeGreaterThanOrEqual(3);
    expect(Number(counted) - Number(held)).toBeLessThanOrEqual(3);
    expect(text).toMatch(/Last use<\/dt>\s*<dd>\d+ \w+ \d{4}, \d\d:\d\d UTC/);
    expect(text).toContain(`Counted requests by UTC day: ${counted} from`);
  });

  test('of another account cannot be named, replaced or revoked', async () => {
    const [one, other] = [await holder(), await holder()];
    await one.send('/account/keys', { label: 'mine' });
    await other.send('/account/keys', { label: 'theirs' });
    const [theirs] = await stage.api.keys.list(other.account);
    for (const action of ['/keys/name', '/keys/rotate', '/keys/revoke']) {
      await one.get('/en/account');
      const page = await one.send(action, { id: String(theirs?.id), label: 'stolen' });
      expect(page.status).toBe(400);
    }
    expect(await stage.api.keys.list(other.account)).toEqual([theirs]);
  });
});

test('a session ends after 12 hours, and when somebody signs out', async () => {
  const one = await holder();
  const cookies = new Map(one.cookies);
  stage.api.clock.movedMs += 12 * 3_600_000 - 120_000;
  expect((await one.get('/en/account')).text).toContain(one.account);
  expect((await one.send('/sign-out')).text).toContain('You are signed out');
  for (const [name, value] of cookies) one.cookies.set(name, value);
  expect((await one.get('/en/account')).text).not.toContain(one.account);

  const late = await holder();
  stage.api.clock.movedMs += 12 * 3_600_000 + 1;
  expect((await late.get('/en/account')).text).not.toContain(late.account);
});

describe('every answer', () => {
  test('is kept by nobody, may be framed by nobody, and is read by no other site', async () => {
    const one = await holder();
    for (const path of ['/en/account', '/ru/account', '/en/account/sign-in?link=x', '/ru/account/nothing']) {
      const { headers } = await one.get(path);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('etag')).toBeNull();
      expect(headers.get('access-control-allow-origin')).toBeNull();
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(headers.get('content-security-policy')).toContain("form-action 'self'");
      expect(headers.get('referrer-policy')).toBe('same-origin');
    }
  });

  test('says what was wrong: 404, 405, 400', async () => {
    const one = await holder();
    expect((await one.get('/en/account/keys/nothing')).status).toBe(404);
    const put = await fetch(`${stage.api.url}/en/account`, { method: 'PUT' });
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
    const large = await one.post('/en/account/keys', { label: 'x'.repeat(20_000) });
    expect(large.status).toBe(400);
    const json = await fetch(`${stage.api.url}/en/account/keys`, { method: 'POST', body: '{}' });
    expect(json.status).toBe(400);
  });

  test('is 503 with a page while the store is down, and the rest of the catalog goes on', async () => {
    const one = await holder();
    stage.api.documents.fault = 'down';
    try {
      const page = await one.get('/ru/account');
      expect(page.status).toBe(503);
      expect(page.headers.get('retry-after')).toBe('2');
      expect(page.text).toContain('Аккаунты сейчас не отвечают');
    } finally {
      stage.api.documents.fault = 'none';
    }
    expect((await one.get('/ru/account')).status).toBe(200);
  });
});
