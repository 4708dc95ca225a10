import { once } from 'node:events';
import { connect } from 'node:net';

import { describe, expect, test, vi } from 'vitest';

import { ATTEMPT_DELAY_MS } from '../../../src/platform/time/rate-limiter.ts';
import { accountStage, DAY, fieldsOf } from '../../support/account-stage.ts';
import { runPages } from '../../support/pages.ts';
import { formsOf, keyIn, visitor } from '../../support/visitor.ts';

/** What somebody could want who is not the holder of the account, or is and writes what nobody expects. */

const stage = accountStage();
const { holder } = stage;

describe('text of a holder', () => {
  const LABELS = [
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "' autofocus onfocus='alert(1)",
    '</title></textarea><svg/onload=alert(1)>',
    '{{constructor.constructor("alert(1)")()}}',
    '\u202eevil\u200b',
    'javascript:alert(1)',
  ];

  test.each(LABELS)('%j is a name and nothing else', async (label) => {
    const one = await holder();
    const made = await one.send('/account/keys', { label });
    const pages = [made.text, (await one.get('/en/account')).text, (await one.get('/ru/account')).text];
    for (const text of pages) {
      expect(text).not.toMatch(/<script>|<img|<svg\/|[\u200b\u202e]/);
      // Values of attributes do not end where the text would like them to.
      expect(text.replaceAll(/"[^"]*"/g, '""')).not.toMatch(/<[^>]*\son\w+=/);
      expect(text).not.toMatch(/(?:href|src|action)="javascript:/);
    }
    const [key] = await stage.api.keys.list(one.account);
    expect(key?.label).toBe(label);
  });

  test.each([
    'two\nlines',
    'x'.repeat(101),
    'a key: cat_live_0nJkjDzUlUjsiQzBrvjCnPURwflLjj1queDK',
    '\u0000',
  ])('%j is refused as a name, and shown nowhere', async (label) => {
    const one = await holder();
    const page = await one.send('/account/keys', { label });
    expect(page.status).toBe(400);
    expect(page.text).not.toContain(label);
    expect(await stage.api.keys.list(one.account)).toEqual([]);
  });
});

describe('a form of another site', () => {
  test.each<readonly [string, Readonly<Record<string, string>>]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['the origin null', { origin: 'null' }],
    ['the same host over another port', { origin: 'http://127.0.0.1:1' }],
    ['what the browser calls cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['what the browser calls same-site', { 'sec-fetch-site': 'same-site' }],
    ['a host of its own, bent to us', { origin: 'http://evil.example', host: 'evil.example' }],
  ])('%s changes nothing, even with the right token', async (_from, headers) => {
    const one = await holder();
    const fields = await fieldsOf(one, '/account/keys');
    const page = await one.post('/en/account/keys', fields, headers);
    expect(page.status).toBe(403);
    expect(await stage.api.keys.list(one.account)).toEqual([]);
  });

  test('without an origin is refused, and so is one as plain text', async () => {
    const one = await holder();
    const fields = await fieldsOf(one, '/account/keys');
    const cookie = [...one.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const bare = await fetch(`${stage.api.url}/en/account/keys`, {
      method: 'POST',
      headers: { cookie },
      body: new URLSearchParams(fields),
    });
    expect(bare.status).toBe(403);
    const plain = await fetch(`${stage.api.url}/en/account/keys`, {
      method: 'POST',
      headers: { cookie, origin: stage.api.url, 'content-type': 'text/plain' },
      body: String(new URLSearchParams(fields)),
    });
    expect(plain.status).toBe(400);
    expect(await stage.api.keys.list(one.account)).toEqual([]);
  });

  test.each(['', 'x', 'a'.repeat(43)])(
    'the token %j is refused, and that of another session too',
    async (csrf) => {
      const [one, other] = [await holder(), await holder()];
      const fields = await fieldsOf(one, '/account/keys');
      const theirs = await fieldsOf(other, '/account/keys');
      for (const token of [csrf, theirs['csrf'] ?? '']) {
        expect((await one.post('/en/account/keys', { ...fields, csrf: token })).status).toBe(403);
        expect((await one.post('/en/account/sign-out', { csrf: token })).status).toBe(403);
      }
      expect(await stage.api.keys.list(one.account)).toEqual([]);
    },
  );

  test('signs nobody in to an account of its own choice', async () => {
    const { token } = await stage.api.accounts.invite('attacker', DAY);
    const [victim, attacker] = [visitor(stage.api.url), visitor(stage.api.url)];
    await attacker.get(`/en/account/sign-in?link=${token}`);
    const [form] = formsOf((await attacker.get(`/en/account/sign-in?link=${token}`)).text);
    // The victim has no cookie of a visit, or one of another visit.
    expect((await victim.post('/en/account/sign-in', form?.fields ?? {})).status).toBe(403);
    await victim.get('/en/account/sign-in?link=x');
    expect((await victim.post('/en/account/sign-in', form?.fields ?? {})).status).toBe(403);
    expect(victim.cookies.has('catalog_session')).toBe(false);
    // And the link is not used up by that.
    expect((await attacker.send('/account/sign-in')).status).toBe(200);
  });

  test('no address changes anything when it is merely opened', async () => {
    const one = await holder();
    await one.send('/account/keys', { label: 'kept' });
    const [key] = await stage.api.keys.list(one.account);
    const { fields } =
      formsOf((await one.get('/en/account')).text).find(({ action }) => action.endsWith('/revoke')) ?? {};
    const query = String(new URLSearchParams(fields));
    for (const path of ['/keys', '/keys/name', '/keys/rotate', '/keys/revoke', '/sign-out']) {
      expect((await one.get(`/en/account${path}?${query}`)).status).toBe(302);
    }
    expect(await stage.api.keys.list(one.account)).toEqual([key]);
    expect((await one.get('/en/account')).text).toContain(one.account);
  });
});

describe('a session', () => {
  test('is never one that the browser came with', async () => {
    const { token } = await stage.api.accounts.invite('fixed', DAY);
    const planted = 'f'.repeat(43);
    const victim = visitor(stage.api.url);
    victim.cookies.set('catalog_session', planted);
    await victim.get(`/en/account/sign-in?link=${token}`);
    await victim.send('/account/sign-in');
    expect(victim.cookies.get('catalog_session')).toMatch(/^\w{43}$/);
    expect(victim.cookies.get('catalog_session')).not.toBe(planted);
    const attacker = visitor(stage.api.url);
    attacker.cookies.set('catalog_session', planted);
    expect((await attacker.get('/en/account')).text).not.toContain('fixed');
  });

  test('stands in the store as a digest alone, and so do links and keys', async () => {
    const one = await holder();
    const { token } = await stage.api.accounts.invite(one.account, DAY);
    const made = await one.send('/account/keys');
    const key = keyIn(made.text);
    const stored: string[] = [];
    for (const collection of await stage.api.documents.collections()) {
      for await (const batch of stage.api.documents.scan(collection)) stored.push(JSON.stringify(batch));
    }
    const all = stored.join('\n');
    expect(all).toContain(one.account);
    for (const secret of [key, token, String(one.cookies.get('catalog_session'))]) {
      expect(secret.length).toBeGreaterThan(40);
      expect(all).not.toContain(secret);
    }
  });

  test('over https its cookies are bound to the host, and go over https alone', async () => {
    await using safe = await runPages({ publicUrl: 'https://catalog.example' });
    const one = visitor(safe.url);
    const { token } = await safe.accounts.invite('safe', DAY);
    const [form] = formsOf((await one.get(`/en/account/sign-in?link=${token}`)).text);
    const origin = { origin: 'https://catalog.example' };
    const signedIn = await one.post('/en/account/sign-in', form?.fields ?? {}, origin);
    expect(signedIn.headers.getSetCookie()[0]).toMatch(
      /^__Host-catalog_session=\w{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Lax; Secure$/,
    );
    // Under the name that a neighbour of the host could set, nobody is signed in.
    const planted = { cookie: `catalog_session=${one.cookies.get('__Host-catalog_session')}` };
    const page = await fetch(`${safe.url}/en/account`, { headers: planted });
    expect(await page.text()).not.toContain('Account safe');
    const csrf = formsOf((await one.get('/en/account')).text)[0]?.fields['csrf'] ?? '';
    const out = await one.post('/en/account/sign-out', { csrf }, origin);
    expect(out.headers.getSetCookie()).toEqual([
      '__Host-catalog_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
    ]);
    const answer = await fetch(`${safe.url}/en/account/sign-in?link=x`);
    expect(answer.headers.getSetCookie()[0]).toMatch(
      /^__Host-catalog_visit_\w{16}=\w{43}; Path=\/; Max-Age=3600; HttpOnly; SameSite=Lax; Secure$/,
    );
  });

  test('is not found under a cookie that was sent twice', async () => {
    const one = await holder();
    const cookie = `catalog_session=${'x'.repeat(43)}; catalog_session=${one.cookies.get('catalog_session')}`;
    const answer = await fetch(`${stage.api.url}/en/account`, { headers: { cookie } });
    expect(await answer.text()).not.toContain(one.account);
  });
});

describe('addresses', () => {
  test.each([
    '/en/account//evil.example',
    '/en/account/https:%2f%2fevil.example',
    '/en/account/sign-in?next=https://evil.example',
    '/en/account?done=https://evil.example',
    '/en/account/sign-in?link=https://evil.example&goTo=//evil.example',
    '/en/account/keys?return_to=//evil.example',
  ])('%s leads to nobody else', async (path) => {
    const answer = await fetch(`${stage.api.url}${path}`, { redirect: 'manual' });
    const location = answer.headers.get('location');
    expect(new URL(location ?? '', `${stage.api.url}${path}`).origin).toBe(stage.api.url);
    expect(await answer.text()).not.toMatch(/(?:href|action|src)="(?:https?:)?\/\/evil/);
  });

  test('a link in an address is text on the page', async () => {
    const { text } = await visitor(stage.api.url).get(
      `/en/account/sign-in?link=${encodeURIComponent('"><script>x</script>')}`,
    );
    expect(text).not.toContain('<script>x');
  });
});

test('somebody who sends forms byte by byte holds up nobody else', async () => {
  const head = `POST /en/account/sign-in HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n`;
  const sockets = Array.from({ length: 12 }, () => {
    const socket = connect(stage.api.port, '127.0.0.1').on('error', () => undefined);
    socket.write(`${head}Content-Length: 100\r\n\r\na=`);
    return socket;
  });
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (let count = 0; count < 5; count += 1)
    expect((await visitor(stage.api.url).get('/en/account')).status).toBe(200);
  for (const socket of sockets) socket.destroy();
});

describe('brute force', () => {
  test('an address tries ten links, then each waits, and the right one is let in, whatever it says of itself', async () => {
    stage.api.clock.movedMs += 600_000;
    const { clock, accounts } = stage.api;
    const { token } = await accounts.invite('patient', DAY);
    const one = visitor(stage.api.url);
    await one.get('/en/account/sign-in?link=x');
    // However long the attempts take, none is given back meanwhile.
    vi.spyOn(clock, 'monotonic').mockReturnValue(clock.monotonic());
    const sleep = vi.spyOn(clock, 'sleep');
    // What others sleep for so long, they can be woken from.
    const delays = () => sleep.mock.calls.filter(([ms, signal]) => ms === ATTEMPT_DELAY_MS && !signal).length;
    const tryLink = async (link: string, from: number): Promise<number> => {
      const [form] = formsOf((await one.get('/en/account/sign-in?link=x')).text);
      const headers = { 'x-forwarded-for': `203.0.113.${from}` };
      return (await one.post('/en/account/sign-in', { ...form?.fields, link }, headers)).status;
    };
    for (let attempt = 0; attempt < 10; attempt += 1)
      expect(await tryLink(`cat_link_${String(attempt).padStart(43, '0')}`, attempt)).toBe(404);
    expect(delays()).toBe(0);
    expect(await tryLink(`cat_link_${'1'.repeat(43)}`, 11)).toBe(404);
    expect(await tryLink(token, 12)).toBe(303);
    expect(delays()).toBe(2);
    vi.restoreAllMocks();
    stage.api.clock.movedMs += 600_000;
  });

  test('an account sends thirty forms, then waits', async () => {
    const one = await holder();
    await one.send('/account/keys', { label: 'x' });
    const fields = await fieldsOf(one, '/keys/name');
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 32; attempt += 1)
      statuses.push((await one.post('/en/account/keys/name', { ...fields, label: `x${attempt}` })).status);
    expect(statuses[0]).toBe(303);
    expect(statuses.at(-1)).toBe(429);
  });
});
