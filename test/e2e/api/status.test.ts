import { describe, expect, test } from 'vitest';

import type { Status } from '../../../src/monitor/status-schema.ts';
import type { CloudEvent } from '../../../src/events/envelope.ts';
import { runApi } from '../../support/api.ts';
import { probed, targetDefined, targetRemoved } from '../../support/events.ts';
import { countedAt, FIRST } from '../../support/monitor.ts';
import { expectDocumented } from '../../support/openapi-validation.ts';
import { forEachTest } from '../../support/for-each-test.ts';
import { storedIn } from '../../support/documents.ts';

/** The monitor's state over HTTP. The clock begins a second after the first five rounds have counted. */

const api = forEachTest(() => runApi({ at: countedAt(4) + 1000, confirmMs: 0 }));

const MINUTE = 60_000;
const AWHILE = 5000;

/** A probe for each letter: `o` ok, `f` fail, `-` none; the first one in the n-th round after `FIRST`. */
function probes(letters: string, from = 0, subject = 'bot_api'): readonly CloudEvent[] {
  return Array.from(letters).flatMap((letter, index) => {
    const told = { subject, round: FIRST + from + index };
    if (letter === 'o') return [probed(told)];
    return letter === 'f' ? [probed({ ...told, result: 'fail', latency_ms: null, cause: 'timeout' })] : [];
  });
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Status;
}

/**
 * Asks without a key, at the host, a few seconds after whatever was asked before: an answer may be as old as a few
 * times what it cost.
 */
async function ask(query = '', { url }: { readonly url: string } = api): Promise<Answer> {
  api.clock.movedMs += AWHILE;
  const response = await fetch(`${url}/api/status${query}`);
  const text = await response.clone().text();
  const body = (await expectDocumented(response, '/status')) as Status;
  return { status: response.status, headers: response.headers, text, body };
}

/** Goes on to a second after the n-th round has counted, the projector being up to date. */
async function goTo(round: number, ...events: readonly CloudEvent[]): Promise<void> {
  await goToTime(countedAt(round) + 1000, ...events);
}

async function goToTime(time: number, ...events: readonly CloudEvent[]): Promise<void> {
  const byMs = time - api.clock.now();
  // Questions have moved the time on; to go back, the wall clocks are set, for no time unpasses.
  api.clock[byMs < 0 ? 'jumpedMs' : 'movedMs'] += byMs;
  await api.project(...events);
}

describe('the two addresses', () => {
  test('answer the same bytes under the same tag, each with its own caching and its own cost', async () => {
    await api.project(targetDefined(), ...probes('ooooo'));
    const keyed = await fetch(`${api.url}/api/v1/status`, { headers: { 'x-api-key': api.key } });
    const open = await ask();
    expect(open.text).toBe(await keyed.text());
    expect(open.body).toMatchObject({ state: 'up', indicator: 'none', stale: false });
    for (const name of ['etag', 'last-modified', 'content-language', 'content-type', 'vary']) {
      expect(open.headers.get(name), name).toBe(keyed.headers.get(name));
    }
    expect(open.headers.get('content-language')).toBe('ru, en');
    expect(open.headers.get('last-modified')).toBe('Fri, 20 Nov 2026 10:04:10 GMT');
    expect(keyed.headers.get('cache-control')).toBe('private, no-cache');
    expect(open.headers.get('cache-control')).toBe('public, max-age=15, stale-if-error=300');
    expect(keyed.headers.get('x-ratelimit-remaining')).toBe('999');
    expect(keyed.headers.get('x-ratelimit-cost')).toBe('1');
    expect(open.headers.get('x-ratelimit-remaining')).toBe('1000');
    expect(open.headers.get('x-ratelimit-cost')).toBe('0');
  });

  test('pass over parameters, and only the keyed one looks for keys among them', async () => {
    await api.project(targetDefined());
    const plain = await ask();
    expect((await ask('?locale=en&page=7&key=sesame')).text).toBe(plain.text);
    expect((await api.get('/status?locale=de&limit=0')).status).toBe(200);
    expect((await api.get('/status?key=sesame&locale=en')).body.error?.message).toContain('revoke');
    expect((await fetch(`${api.url}/api/v1/status?token=${api.key}`)).status).toBe(401);
  });
});

describe('the body', () => {
  test('changes with a round, a definition or a state, and with nothing else', async () => {
    await api.project(targetDefined(), ...probes('ooooo'));
    const first = await ask();
    api.clock.movedMs += 40_000;
    await api.project(...probes('o', 5));
    expect((await ask()).text).toBe(first.text);
    await goTo(5);
    const next = await ask();
    expect(next.body.checked_at).toBe('2026-11-20T10:05:10Z');
    await api.project(targetDefined({ revision: 2, name: { ru: 'Бот', en: 'Bot' } }));
    const renamed = await ask();
    expect(renamed.body.components[0]?.name).toEqual({ ru: 'Бот', en: 'Bot' });
    await api.project(targetRemoved({ revision: 3 }));
    expect((await ask()).body).toMatchObject({ state: 'unknown', components: [], checked_at: null });
  });

  test('of a target that is removed while it fails, and defined again, starts clean', async () => {
    await api.project(targetDefined(), ...probes('oooooooooffff'));
    await goTo(12);
    expect((await ask()).body).toMatchObject({ state: 'down', incidents: [{ state: 'open' }] });
    const again = [
      targetRemoved({ revision: 2, time: new Date((FIRST + 12) * MINUTE + 1).toISOString() }),
      targetDefined({ revision: 3 }),
    ];
    await api.project(...again);
    const clean = { since: null, checked_at: null, incidents: [], components: [{ state: 'unknown' }] };
    expect((await ask()).body).toMatchObject(clean);
    await goTo(16, ...probes('oooo', 13));
    expect((await ask()).body).toMatchObject({
      state: 'up',
      since: '2026-11-20T10:15:15Z',
      incidents: [],
      uptime: { '24h': { pct: 100 } },
    });
  });

  test('of such a target starts clean too where its hours were summarised before', async () => {
    await api.project(targetDefined(), ...probes(`ooffff${'-'.repeat(54)}ooo`));
    await goTo(62);
    expect((await ask()).body).toMatchObject({ state: 'up', incidents: [{ state: 'resolved' }] });
    const removedAt = (round: number) => new Date((FIRST + round) * MINUTE).toISOString();
    await api.project(targetRemoved({ revision: 2, time: removedAt(4) }), targetDefined({ revision: 3 }));
    const [part] = (await ask()).body.incidents;
    expect(part).toMatchObject({ started_at: '2026-11-20T10:04:10Z' });
    await api.project(targetRemoved({ revision: 4, time: removedAt(6) }), targetDefined({ revision: 5 }));
    expect((await ask()).body).toMatchObject({ since: '2026-11-20T11:02:15Z', incidents: [] });
  });
});

describe('our own delay', () => {
  test('is told from silence: while nobody has said that all is read, nothing becomes unknown', async () => {
    await api.project(targetDefined(), ...probes('ooooo'));
    expect((await ask()).body.stale).toBe(false);
    // The projector is dead: what it said last grows old, and the probes of these minutes may wait in the log.
    api.clock.movedMs += 30 * MINUTE;
    const dead = await ask();
    expect(dead.body).toMatchObject({ state: 'up', stale: true, checked_at: '2026-11-20T10:04:10Z' });
    expect(dead.body.text.en).toContain('out of date');
    expect(await (await fetch(`${api.url}/en/status/badge.svg`)).text()).toContain(': unknown<');
    await api.project();
    expect((await ask()).body).toMatchObject({ state: 'unknown', stale: true });
    await goTo(34, ...probes('o'.repeat(30), 5));
    expect((await ask()).body).toMatchObject({ state: 'up', stale: false });
  });

  test('before anything was ever projected is unknown and stale', async () => {
    const { status, body, headers } = await ask();
    expect(status).toBe(200);
    expect(body).toMatchObject({ state: 'unknown', stale: true, since: null, components: [] });
    expect(headers.get('last-modified')).toBeNull();
  });
});

describe('while the stores are down', () => {
  test('both addresses answer what was known last, stale, and recover by themselves', async () => {
    await api.project(targetDefined(), ...probes('ooooo'));
    const before = await api.get('/status');
    api.documents.fault = 'down';
    api.clock.movedMs += 20 * MINUTE;
    const open = await ask();
    expect(open.status).toBe(200);
    expect(open.body).toMatchObject({ state: 'up', stale: true, checked_at: before.body['checked_at'] });
    api.documents.fault = 'none';
    await api.project();
    expect((await ask()).body.stale).toBe(true);
    await goTo(30, ...probes('o'.repeat(26), 5));
    expect((await ask()).body.stale).toBe(false);
  });

  test('a key that was good a moment ago is answered too, uncounted; an unknown one is not', async () => {
    await api.project(targetDefined(), ...probes('ooooo'));
    await api.get('/status');
    api.documents.fault = 'down';
    api.clock.movedMs += AWHILE;
    const keyed = await api.get('/status');
    expect(keyed.status).toBe(200);
    expect(keyed.body['stale']).toBe(true);
    expect(keyed.headers.get('x-ratelimit-cost')).toBe('0');
    expect(keyed.headers.get('x-ratelimit-remaining')).toBe('0');
    expect((await api.get('/top')).status).toBe(503);
    api.clock.movedMs += MINUTE + 1;
    expect((await api.get('/status')).status).toBe(503);
    expect((await ask()).status).toBe(200);
  });

  test('a start knows nothing: unknown and stale, and never a 5xx', async () => {
    api.documents.fault = 'down';
    expect((await ask()).body).toMatchObject({ state: 'unknown', stale: true, checked_at: null });
    api.documents.fault = 'broken';
    expect((await ask()).status).toBe(200);
    expect(api.log.filter((line) => line.includes('last known state'))).toHaveLength(1);
  });

  test('nobody waits for a store that has just been silent', async () => {
    await using slow = await runApi({ at: countedAt(4) + 1000, confirmMs: 0, storeLimitMs: 60_000 });
    await slow.project(targetDefined(), ...probes('ooooo'));
    await ask('', slow);
    slow.documents.fault = 'down';
    slow.clock.movedMs += MINUTE;
    expect((await ask('', slow)).body.stale).toBe(true);
    slow.documents.fault = 'silent';
    // Within the test's own limit, which is that of the store.
    expect((await ask('', slow)).body).toMatchObject({ state: 'up', stale: true });
  });
});

const hours = 30;
const history = () => [targetDefined(), ...probes('ooooo'.repeat(12 * hours), -60 * hours)];
const summaries = async () => (await storedIn(api.documents, 'monitor-summaries')).map(({ id }) => id);

test('summaries of closed hours that are damaged, or of other rules, are passed over and made again', async () => {
  await api.project(...history(), ...probes('ooooo'));
  const { text } = await ask();
  await expect.poll(summaries).toHaveLength(hours);
  const [id = ''] = (await summaries()).toSorted();
  const stored = (await api.documents.get('monitor-summaries', [id])).get(id);
  const damaged = { id, read: stored?.version ?? null, version: 'damaged', body: { summary: 'damaged' } };
  await api.documents.write('monitor-summaries', [damaged]);
  expect((await ask('', await api.another())).text).toBe(text);
  await expect
    .poll(async () => (await api.documents.get('monitor-summaries', [id])).get(id)?.body)
    .toEqual(stored?.body);
});
