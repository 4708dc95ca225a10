import { beforeEach, describe, expect, test, vi } from 'vitest';

import { ATTEMPT_DELAY_MS } from '../../../../src/platform/time/rate-limiter.ts';
import { ACTS, pathOf, REDRIVE } from '../../../support/operator-acts.ts';
import { previewOf } from '../../../support/operator-overview.ts';
import { runOperatorSite } from '../../../support/operator-site.ts';
import { SECRET } from '../../../support/operator-visitor.ts';
import { exchange, parseAnswer } from '../../../support/wire.ts';
import { forEachTest } from '../../../support/for-each-test.ts';

describe('an act', () => {
  const site = forEachTest(() => runOperatorSite());
  /** Of the one who has said the secret, and has looked at what redriving an event would do. */
  let [cookie, csrf, confirmed] = ['', '', ''];
  beforeEach(async () => {
    ({ cookie, csrf } = await site.unlock());
    confirmed = await site.confirm(REDRIVE, cookie);
  });

  const send = (
    form: Readonly<Record<string, string>> = { csrf, confirmed },
    headers: Readonly<Record<string, string>> = { cookie },
  ): Promise<Response> => site.send('/en/act', form, headers);

  test.each(ACTS.slice(0, 5))(
    '$kind is done for somebody who has said the secret and has seen what it does',
    async (act) => {
      const shown = await site.confirm(act, cookie);
      expect(site.acts).toEqual([]);
      const response = await send({ csrf, confirmed: shown });
      expect([response.status, response.headers.get('location')]).toEqual([303, '/en?done=ended']);
      expect(site.acts).toEqual([act]);
      expect(site.confirmed).toEqual([previewOf(act)]);
    },
  );

  test('is refused without a confirmation; a verification, which changes nothing, needs none', async () => {
    for (const act of ACTS) expect((await send({ ...act, csrf })).status, act.kind).toBe(404);
    expect(site.acts).toEqual([]);
    expect((await send({ kind: 'verify', csrf })).status).toBe(303);
    expect(site.acts).toEqual([{ kind: 'verify', subject: '' }]);
  });

  test('is the one that was shown, whatever else its form says', async () => {
    await send({ csrf, confirmed, ...ACTS[4] });
    expect(site.acts).toEqual([REDRIVE]);
  });

  test('is done once, however often its form is sent', async () => {
    const sent = await Promise.all([send(), send(), send()]);
    expect(sent.map(({ status }) => status).sort((a, b) => a - b)).toEqual([303, 409, 409]);
    expect(site.acts).toHaveLength(1);
    expect(await (await send()).text()).toContain('This confirmation is used up');
  });

  test('is refused with the confirmation of another session, and after ten minutes', async () => {
    const other = await site.unlock();
    const theirs = await site.confirm(REDRIVE, other.cookie);
    expect((await send({ csrf, confirmed: theirs })).status).toBe(409);
    site.clock.advance(600_000);
    expect((await send()).status).toBe(409);
    expect(site.acts).toEqual([]);
  });

  test('is refused where what was shown has changed, with a way to look again', async () => {
    await using stale = await runOperatorSite({ begun: () => 'stale' });
    const unlocked = await stale.unlock();
    const shown = { csrf: unlocked.csrf, confirmed: await stale.confirm(REDRIVE, unlocked.cookie) };
    const response = await stale.send('/en/act', shown, { cookie: unlocked.cookie });
    expect(response.status).toBe(409);
    const page = await response.text();
    expect(page).toContain('This has changed since it was shown');
    expect(page).toMatch(/href="\/en\/confirm\?kind=redrive&amp;subject=/);
  });

  test('is not offered where it would be refused, or where there is nothing to do', async () => {
    await using idle = await runOperatorSite({
      preview: (act) => (act.kind === 'rollback' ? null : previewOf(act)),
    });
    const headers = { cookie: (await idle.unlock()).cookie };
    expect(await idle.confirm({ kind: 'cancel', subject: 'listings@0' }, headers.cookie)).toBe('');
    const gone = await fetch(`${idle.url}/en/confirm?kind=rollback&subject=listings`, { headers });
    expect([gone.status, await gone.text()]).toEqual([
      409,
      expect.stringContaining('nothing to do any more'),
    ]);
  });

  test('shows nothing to be confirmed to somebody who has not said the secret', async () => {
    const response = await fetch(`${site.url}${pathOf(REDRIVE)}`);
    expect([response.status, await response.text()]).toEqual([403, expect.not.stringContaining('confirmed')]);
  });

  test.each<[string, Record<string, string>]>([
    ['from another site', { Origin: 'https://evil.example' }],
    ['from a page under no name', { Origin: 'null' }],
    ['from another port of this machine', { Origin: 'http://127.0.0.1:1' }],
    ['that the browser calls cross-site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['that the browser calls same-site', { 'Sec-Fetch-Site': 'same-site' }],
  ])('is refused for a form %s', async (_what, headers) => {
    expect((await send({ csrf, confirmed }, { cookie, ...headers })).status).toBe(403);
    expect(site.acts).toEqual([]);
  });

  test.each<[string, number, (port: string) => string]>([
    ['without Origin', 403, (port) => `Host: 127.0.0.1:${port}`],
    [
      'under a name that is bent to this machine',
      421,
      (port) => `Host: evil.example:${port}\r\nOrigin: http://evil.example:${port}`,
    ],
    [
      'that begins like this machine',
      421,
      (port) => `Host: 127.0.0.1.evil.example:${port}\r\nOrigin: http://127.0.0.1.evil.example:${port}`,
    ],
    ['without Host', 400, () => 'Origin: http://127.0.0.1'],
  ])('is refused for a form %s, with all else right', async (_what, status, named) => {
    const { port } = new URL(site.url);
    const body = new URLSearchParams({ csrf, confirmed }).toString();
    const sent = `POST /en/act HTTP/1.1\r\n${named(port)}\r\nCookie: ${cookie}\r\nConnection: close\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    expect(parseAnswer(await exchange(Number(port), sent)).status).toBe(status);
    expect(site.acts).toEqual([]);
  });

  test('is refused without the token of the session, with another, and without a session', async () => {
    const other = await site.unlock();
    const name = cookie.split('=')[0] ?? '';
    const status = async (form: Record<string, string>, headers: Record<string, string>) =>
      (await send({ confirmed, ...form }, headers)).status;
    expect(await status({}, { cookie })).toBe(403);
    expect(await status({ csrf: other.csrf }, { cookie })).toBe(403);
    expect(await status({ csrf }, {})).toBe(403);
    expect(await status({ csrf }, { cookie: `${name}=${'a'.repeat(43)}` })).toBe(403);
    expect(await status({ csrf }, { cookie: `${cookie}; ${cookie}` })).toBe(403);
    expect(site.acts).toEqual([]);
  });

  test('is none by GET, of an unknown kind, or with a form that is too large', async () => {
    const query = new URLSearchParams({ confirmed, csrf });
    expect((await fetch(`${site.url}/en/act?${query.toString()}`, { headers: { cookie } })).status).toBe(404);
    expect((await send({ kind: 'drop_all', csrf })).status).toBe(404);
    const large = { confirmed, csrf, subject: 'x'.repeat(10_000) };
    expect((await send(large)).status).toBe(400);
    expect(site.acts).toEqual([]);
  });

  test('ends with the session: after signing out, and after an hour', async () => {
    await site.send('/en/sign-out', { csrf }, { cookie });
    expect((await send()).status).toBe(403);
    const second = await site.unlock();
    site.clock.advance(3_600_000);
    const late = await site.send('/en/act', { kind: 'verify', csrf: second.csrf }, { cookie: second.cookie });
    expect(late.status).toBe(403);
    expect(site.acts).toEqual([]);
  });

  test.each(['serve', 'accounts'] as const)('is none in a process that is there to %s', async (role) => {
    await using other = await runOperatorSite({ role });
    const unlocked = await other.unlock();
    const page = await other.read('/en', unlocked.cookie);
    expect(page).not.toContain('/confirm?');
    expect(page).toContain('Open the page of a projector');
    expect(await other.confirm(REDRIVE, unlocked.cookie)).toBe('');
    await other.send('/en/act', { kind: 'verify', csrf: unlocked.csrf }, { cookie: unlocked.cookie });
    expect(other.acts).toEqual([]);
  });
});

describe('the secret', () => {
  test('opens nothing where none is set, and the page says so', async () => {
    await using site = await runOperatorSite({ secret: null });
    expect(await site.read('/en')).toContain('set CATALOG_OPERATOR_SECRET');
    expect((await site.send('/en/sign-in', { secret: '' })).status).toBe(403);
  });

  test('cannot be guessed quickly: after five tries in a row each waits, and the right one is let in', async () => {
    await using site = await runOperatorSite();
    for (let count = 0; count < 5; count += 1)
      expect((await site.send('/en/sign-in', { secret: `guess number ${count}` })).status).toBe(403);
    for (const [secret, status] of [
      ['guess number 6', 403],
      [SECRET, 303],
    ] as const) {
      const sent = site.send('/en/sign-in', { secret });
      await site.clock.sleeping(ATTEMPT_DELAY_MS);
      site.clock.advance(ATTEMPT_DELAY_MS);
      expect((await sent).status).toBe(status);
    }
  });

  test('that is wrong a hundred times leaves a few lines, and the next one says how many had none', async () => {
    await using site = await runOperatorSite();
    vi.spyOn(site.clock, 'sleep').mockResolvedValue();
    const warned = () => site.logged.filter((line) => line.includes('wrong operator secret'));
    const guess = () => site.send('/en/sign-in', { secret: 'a guess' });
    for (let count = 0; count < 100; count += 1) await guess();
    expect(warned()).toHaveLength(5);
    site.clock.advance(60_000);
    await guess();
    expect(JSON.parse(warned()[5] ?? '{}')).toMatchObject({ address: '127.0.0.1', untold: 95 });
  });

  test('stands in no log and no page, nor does what was said in its place', async () => {
    await using site = await runOperatorSite();
    const wrong = await (await site.send('/en/sign-in', { secret: 'my other password' })).text();
    const { cookie } = await site.unlock();
    const page = await site.read('/en', cookie);
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
