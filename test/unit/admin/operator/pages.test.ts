import { describe, expect, test } from 'vitest';

import { LOCALES } from '../../../../src/texts/texts.ts';
import { exchange } from '../../../support/wire.ts';
import type { Overview } from '../../../../src/operations/overview.ts';
import { ACTS, pathOf, REDRIVE } from '../../../support/operator-acts.ts';
import { overviewWith, parkedEvent } from '../../../support/operator-overview.ts';
import { runOperatorSite } from '../../../support/operator-site.ts';

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
      expect(page).not.toMatch(/\/act"|\/confirm\?/);
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
      const page = await site.read(path, cookie);
      expect(page).toContain('&lt;script&gt;alert(1)');
      expect(page).not.toContain('<script>alert');
      expect(page).not.toContain('<img src=x');
      // What turns the direction of writing is shown, and does nothing.
      expect(page).not.toContain('\u202e');
    }
  });
});

describe('the page', () => {
  test('says first what needs a hand, the problems before the rest, and counts them in the title of the window', async () => {
    const checks = {
      search: () => ({ ok: true, degraded: true, detail: 'the engine does not answer' }),
      documents: () => ({ ok: true, detail: 'serving listings@1' }),
    };
    await using site = await runOperatorSite({ checks });
    const page = await site.read('/en');
    expect(page).toMatch(/<title>3 problems · Operator page/);
    const places = ['the engine does not answer', '#verification', 'code 91', 'id="builds"'].map((text) =>
      page.indexOf(text),
    );
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(0);
    expect(page).not.toContain('serving listings@1');
  });

  test('says that nothing is wrong where it sees everything, and not where it does not', async () => {
    const well = wellOverview();
    await using site = await runOperatorSite({ overview: well });
    const page = await site.read('/en');
    expect(page).toContain('Nothing is late, stuck or waiting.');
    expect(page).toMatch(/<title>Operator page/);
    await using serving = await runOperatorSite({ overview: well, role: 'serve' });
    const served = await serving.read('/en');
    expect(served).not.toContain('Nothing is late, stuck or waiting.');
    const dark = { ...well, status: { trouble: 'The store is down.' } };
    await using broken = await runOperatorSite({ overview: dark });
    const unknown = await broken.read('/en');
    expect(unknown).not.toContain('Nothing is late, stuck or waiting.');
    expect(unknown).toContain('The store is down.');
  });

  test('hides no other part behind one that cannot be read', async () => {
    const overview = { ...overviewWith([]), acts: { trouble: 'The index of acts is gone.' } };
    await using site = await runOperatorSite({ overview });
    const page = await site.read('/en');
    expect(page).toContain('The index of acts is gone.');
    expect(page).toContain('listings@2-b2');
    expect(page).toContain('listings@1/catalog.entries/0');
  });

  test('offers a rollback to an older build alone: what a rollback has left, only a cut-over brings back', async () => {
    const overview = overviewWith([]);
    if (!('value' in overview.versions)) throw new Error('the fixture has no builds');
    const versions = { value: overview.versions.value.map((one) => ({ ...one, rollback: false })) };
    const links = async (shown: Overview): Promise<readonly boolean[]> => {
      await using site = await runOperatorSite({ overview: shown });
      const { cookie } = await site.unlock();
      const page = await site.read('/en', cookie);
      return [/kind=rollback/, /kind=cut_over[^"]*to=listings%400"/].map((link) => link.test(page));
    };
    expect(await links(overview)).toEqual([true, true]);
    expect(await links({ ...overview, versions })).toEqual([false, true]);
  });

  test('speaks Russian where it is Russian: what is English is told as the words of a program', async () => {
    const checks = {
      search: () => ({ ok: true, degraded: true, detail: 'the engine does not answer' }),
      anything: () => ({ ok: false, detail: 'nobody knows it' }),
    };
    await using site = await runOperatorSite({ checks });
    const { cookie } = await site.unlock();
    const paths = ['/ru', `/ru/parked?id=${encodeURIComponent(parkedEvent().id)}`, ...ACTS.map(pathOf)];
    for (const path of paths) {
      const response = await fetch(`${site.url}${path}`, { headers: { cookie } });
      expect(response.status, path).toBe(200);
      expect(englishIn(await response.text()), path).toEqual([]);
    }
  });

  test('tells how far a build is, and how long a verification took', async () => {
    await using site = await runOperatorSite();
    const page = await site.read('/en');
    expect(page).toMatch(/listings@2-b2[^]*?45\.0%[^]*?55,000 records to go[^]*?1\u00a0min 5\u00a0s/);
    expect(page).toContain('took 1\u00a0min 5\u00a0s');
  });

  test('stays below 100 KB, whatever parked events say', async () => {
    const evil = '<\u202e>"&'.repeat(40);
    const events = Array.from({ length: 20 }, (_, at) =>
      parkedEvent({
        id: `listings@1/catalog.entries/0/${at}`,
        reason: evil,
        subject: evil.slice(0, 100),
        type: evil.slice(0, 100),
        key: evil,
        headers: evil.repeat(20),
        value: evil.repeat(40),
      }),
    );
    await using site = await runOperatorSite({ events });
    const { cookie } = await site.unlock();
    for (const path of ['/ru', `/ru/parked?id=${encodeURIComponent(events[0]?.id ?? '')}`]) {
      const page = await (await fetch(`${site.url}${path}`, { headers: { cookie } })).arrayBuffer();
      expect(page.byteLength, path).toBeLessThan(100_000);
    }
  });

  test('every answer is kept nowhere, stands in no frame and says nothing of itself elsewhere', async () => {
    await using site = await runOperatorSite();
    const { cookie } = await site.unlock();
    const asked = ['/en', '/en/nothing', '/en/parked?id=nobody', pathOf(REDRIVE)];
    const sent = await site.send('/en/act', { kind: 'verify' }, { cookie });
    for (const response of [
      ...(await Promise.all(asked.map((path) => fetch(`${site.url}${path}`, { headers: { cookie } })))),
      sent,
    ]) {
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      const policy = response.headers.get('content-security-policy') ?? '';
      for (const rule of [
        "default-src 'none'",
        "frame-ancestors 'none'",
        "form-action 'self'",
        "base-uri 'none'",
      ])
        expect(policy).toContain(rule);
    }
  });

  test('a fault of ours tells nothing of where it stands in the code', async () => {
    await using site = await runOperatorSite({
      preview: () => {
        throw new TypeError('cannot read');
      },
    });
    const { cookie } = await site.unlock();
    const response = await fetch(`${site.url}${pathOf(REDRIVE)}`, { headers: { cookie } });
    expect([response.status, await response.text()]).toEqual([503, expect.not.stringContaining('.ts:')]);
    const { port } = new URL(site.url);
    const odd = `GET http://[/en HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`;
    expect(await exchange(Number(port), odd)).not.toMatch(/node_modules|\.ts:/);
  });
});

/** Of an installation in which nothing waits. */
function wellOverview(): Overview {
  const overview = overviewWith([]);
  if (!('value' in overview.status)) throw new Error('the fixture has no status');
  const status = { value: { ...overview.status.value, findings: [], lanes: [] } };
  return { ...overview, status, verification: { value: { last: null, ended: null } } };
}

/** Words of a page in Latin letters, beside names, commands and what is marked as English. */
function englishIn(page: string): readonly string[] {
  const text = page
    .replace(/<head>[^]*?<\/head>/, '')
    .replaceAll(/<(code|q|span|a|pre|dd)\b[^>]*(?:lang="en"|translate="no")[^>]*>[^]*?<\/\1>/g, ' ')
    .replaceAll(/«[^»]*»|<[^>]+>/g, ' ');
  return (text.match(/[A-Za-z][A-Za-z@.-]{2,}/g) ?? []).filter((word) => !NAMES.test(word));
}

const NAMES =
  /^(?:CATALOG_[A-Z_]+|JSON|UTC|API|status|readyz|metrics|accept-gap|search|listings|start|npm|run|catalog)/;
