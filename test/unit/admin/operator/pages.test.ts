import { describe, expect, test } from 'vitest';

import { LOCALES } from '../../../../src/api/messages/texts.ts';
import { exchange, parseAnswer } from '../../../support/wire.ts';
import { parkedEvent, runOperatorSite, SECRET } from '../../../support/operator-site.ts';

const REDRIVE = { kind: 'redrive', subject: 'listings@1/catalog.entries/0/17' };

describe('looking', () => {
  test('needs no secret, and shows no button that does something', async () => {
    await using site = await runOperatorSite();
    for (const locale of LOCALES) {
      const response = await fetch(`${site.url}/${locale}`);
      const page = await response.text();
      expect(response.status).toBe(200);
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(page).toContain('listings@1/catalog.entries/0');
      expect(page).not.toContain('/act"');
      expect(page).not.toMatch(/undefined|\[object|\{\w+\}/);
    }
  });

  test('/ leads to the page in the language of the browser', async () => {
    await using site = await runOperatorSite();
    const response = await fetch(site.url, { redirect: 'manual', headers: { 'accept-language': 'en-GB' } });
    expect([response.status, response.headers.get('location'), response.headers.get('vary')]).toEqual([
      302,
      '/en',
      'Accept-Language',
    ]);
  });

  test('what is not there is a page, or JSON beside the languages', async () => {
    await using site = await runOperatorSite();
    expect((await fetch(`${site.url}/en/nothing`)).status).toBe(404);
    expect((await fetch(`${site.url}/en/parked?id=nobody`)).status).toBe(404);
    expect(await (await fetch(`${site.url}/nothing`)).json()).toMatchObject({ ok: false });
  });

  test('what events say is text, whatever it says', async () => {
    const evil = '"><script>alert(1)</script><img src=x onerror=alert(2)>\u202e';
    const event = parkedEvent({
      id: `listings@1/${evil}/0/1`,
      reason: evil,
      subject: evil,
      type: evil,
      source: evil,
      key: evil,
      headers: JSON.stringify({ a: evil }),
      value: evil,
    });
    await using site = await runOperatorSite({ events: [event] });
    const { cookie } = await site.unlock();
    for (const path of ['/en', `/en/parked?id=${encodeURIComponent(event.id)}`]) {
      const page = await (await fetch(`${site.url}${path}`, { headers: { cookie } })).text();
      expect(page).toContain('&lt;script&gt;alert(1)');
      expect(page).not.toContain('<script>alert');
      expect(page).not.toContain('<img src=x');
      // What turns the direction of writing is shown, and does nothing.
      expect(page).not.toContain('\u202e');
    }
  });
});

describe('an act', () => {
  test('is done for the form of somebody who has said the secret', async () => {
    await using site = await runOperatorSite();
    const { cookie, csrf } = await site.unlock();
    const response = await site.send('/en/act', { ...REDRIVE, csrf }, { cookie });
    expect([response.status, response.headers.get('location')]).toEqual([303, '/en?done=ended']);
    expect(site.acts).toEqual([REDRIVE]);
  });

  test.each<[string, Record<string, string>]>([
    ['from another site', { Origin: 'https://evil.example' }],
    ['from a page under no name', { Origin: 'null' }],
    ['from another port of this machine', { Origin: 'http://127.0.0.1:1' }],
    ['that the browser calls cross-site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['that the browser calls same-site', { 'Sec-Fetch-Site': 'same-site' }],
  ])('is refused for a form %s', async (_what, headers) => {
    await using site = await runOperatorSite();
    const { cookie, csrf } = await site.unlock();
    const response = await site.send('/en/act', { ...REDRIVE, csrf }, { cookie, ...headers });
    expect(response.status).toBe(403);
    expect(site.acts).toEqual([]);
  });

  test('is refused for a form without Origin', async () => {
    await using site = await runOperatorSite();
    const { cookie, csrf } = await site.unlock();
    const { port } = new URL(site.url);
    const body = new URLSearchParams({ ...REDRIVE, csrf }).toString();
    const sent = `POST /en/act HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: ${cookie}\r\nConnection: close\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    expect(parseAnswer(await exchange(Number(port), sent)).status).toBe(403);
    expect(site.acts).toEqual([]);
  });

  test('is refused under a name that is bent to this machine, with all else right', async () => {
    await using site = await runOperatorSite();
    const { cookie, csrf } = await site.unlock();
    const { port } = new URL(site.url);
    const body = new URLSearchParams({ ...REDRIVE, csrf }).toString();
    const sent = `POST /en/act HTTP/1.1\r\nHost: evil.example:${port}\r\nOrigin: http://evil.example:${port}\r\nCookie: ${cookie}\r\nConnection: close\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    expect(parseAnswer(await exchange(Number(port), sent)).status).toBe(421);
    expect(site.acts).toEqual([]);
  });

  test('is refused without the token of the session, with another, and without a session', async () => {
    await using site = await runOperatorSite();
    const { cookie, csrf } = await site.unlock();
    const other = await site.unlock();
    const name = cookie.split('=')[0] ?? '';
    expect((await site.send('/en/act', REDRIVE, { cookie })).status).toBe(403);
    expect((await site.send('/en/act', { ...REDRIVE, csrf: other.csrf }, { cookie })).status).toBe(403);
    expect((await site.send('/en/act', { ...REDRIVE, csrf })).status).toBe(403);
    const planted = `${name}=${'a'.repeat(43)}`;
    expect((await site.send('/en/act', { ...REDRIVE, csrf }, { cookie: planted })).status).toBe(403);
    expect(
      (await site.send('/en/act', { ...REDRIVE, csrf }, { cookie: `${cookie}; ${cookie}` })).status,
    ).toBe(403);
    expect(site.acts).toEqual([]);
  });

  test('is none by GET, of an unknown kind, or with a form that is too large', async () => {
    await using site = await runOperatorSite();
    const { cookie, csrf } = await site.unlock();
    const query = new URLSearchParams({ ...REDRIVE, csrf });
    expect((await fetch(`${site.url}/en/act?${query.toString()}`, { headers: { cookie } })).status).toBe(404);
    expect((await site.send('/en/act', { kind: 'drop_all', csrf }, { cookie })).status).toBe(404);
    const large = { ...REDRIVE, csrf, subject: 'x'.repeat(10_000) };
    expect((await site.send('/en/act', large, { cookie })).status).toBe(400);
    expect(site.acts).toEqual([]);
  });

  test('ends with the session: after signing out, and after an hour', async () => {
    await using site = await runOperatorSite();
    const first = await site.unlock();
    await site.send('/en/sign-out', { csrf: first.csrf }, { cookie: first.cookie });
    expect(
      (await site.send('/en/act', { ...REDRIVE, csrf: first.csrf }, { cookie: first.cookie })).status,
    ).toBe(403);
    const second = await site.unlock();
    site.clock.advance(3_600_000);
    expect(
      (await site.send('/en/act', { ...REDRIVE, csrf: second.csrf }, { cookie: second.cookie })).status,
    ).toBe(403);
    expect(site.acts).toEqual([]);
  });

  test.each(['serves', 'accounts'] as const)('is none in a process that %s', async (standing) => {
    await using site = await runOperatorSite({ standing });
    const { cookie } = await site.unlock();
    const page = await (await fetch(`${site.url}/en`, { headers: { cookie } })).text();
    expect(page).not.toContain('name="kind"');
    expect(page).toContain('Open the page of a projector');
  });
});

describe('the secret', () => {
  test('opens nothing where none is set, and the page says so', async () => {
    await using site = await runOperatorSite({ secret: null });
    expect(await (await fetch(`${site.url}/en`)).text()).toContain('set CATALOG_OPERATOR_SECRET');
    expect((await site.send('/en/sign-in', { secret: '' })).status).toBe(403);
  });

  test('cannot be guessed: after five tries in a row even the right one waits', async () => {
    await using site = await runOperatorSite();
    for (let count = 0; count < 5; count += 1)
      expect((await site.send('/en/sign-in', { secret: `guess number ${count}` })).status).toBe(403);
    const late = await site.send('/en/sign-in', { secret: SECRET });
    expect(late.status).toBe(429);
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(late.headers.get('set-cookie')).toBeNull();
  });

  test('stands in no log and no page, nor does what was said in its place', async () => {
    await using site = await runOperatorSite();
    const wrong = await (await site.send('/en/sign-in', { secret: 'my other password' })).text();
    const { cookie } = await site.unlock();
    const page = await (await fetch(`${site.url}/en`, { headers: { cookie } })).text();
    const token = cookie.split('=')[1] ?? 'none';
    expect(site.logged.join('')).toContain('wrong operator secret');
    for (const text of [site.logged.join(''), page, wrong])
      for (const kept of [SECRET, 'my other password', token]) expect(text).not.toContain(kept);
  });

  test('gives a cookie that scripts and other sites do not get, of this port alone', async () => {
    await using site = await runOperatorSite();
    const response = await site.send('/en/sign-in', { secret: SECRET });
    const { port } = new URL(site.url);
    expect(response.headers.get('set-cookie')).toMatch(
      new RegExp(`^catalog_operator_${port}=[\\w-]{43}; Path=/; Max-Age=3600; HttpOnly; SameSite=Strict$`),
    );
  });
});
