import { describe, expect, test } from 'vitest';

import { PROJECTIONS } from '../../projections/index.ts';
import type { Parts } from '../../src/compose/parts.ts';
import type { Status } from '../../src/monitor/status-schema.ts';
import { changeSample, readSample } from '../../src/operations/sample/publish.ts';
import { collectionOf } from '../../src/projecting/engine/projection.ts';
import { probed, published, targetDefined, unpublished } from '../support/events.ts';
import { type Mode, clearAway } from '../support/mode.ts';
import { patiently } from '../support/patiently.ts';
import type { Installation, RunCommand, Running } from '../support/process.ts';
import { forAllTests } from '../support/for-each-test.ts';
import { expectDocumented } from '../support/openapi-validation.ts';
import { untilReady } from '../support/readyz.ts';
import { commandsHere } from '../support/run-here.ts';
import { openParts } from '../support/parts.ts';

/** For what hangs: on a busy machine the sample takes long. */
const PATIENCE = { timeout: 150_000 };

/**
 * The whole product as a newcomer meets it: one real process, the sample, the command line from a second terminal.
 * `prepare` is what happens to the installation before.
 */
export function newcomersCatalog(
  mode: Mode,
  prepare: (catalog: Installation, parts: Parts) => Promise<void> = () => Promise.resolve(),
): void {
  describe.runIf(mode.isHere)(`a newcomer's catalog, ${mode.name}`, () => {
    const newcomer = forAllTests(() => openNewcomer(mode, prepare));
    // Each goes on where the one before has ended.
    describe('the first start', () => {
      test('prints requests that work as printed, and have something to answer', async () => {
        const banner = await newcomer.service.printed('Ctrl-C stops.');
        const printed = /curl (?:-G )?(?:-H 'x-api-key: (\S+)' )?(?:--data-urlencode '(\S+)' )?'(\S+)'/g;
        const requests = [...banner.matchAll(printed)];
        expect(requests).toHaveLength(4);
        for (const [, header, data, url] of requests) {
          const asked = data === undefined ? String(url) : `${url}&${encodeURI(data)}`;
          const headers: Record<string, string> = header === undefined ? {} : { 'x-api-key': header };
          const response = await patiently(() => fetch(asked, { headers }), newcomer.service);
          const body = await response.text();
          expect(response.status, `${asked}: ${body}`).toBe(200);
          expect(body.length).toBeGreaterThan(500);
        }
      });

      test('names a documentation that is there', async () => {
        const [, url] = /^Documentation: (\S+)/m.exec(await newcomer.service.printed('Ctrl-C stops.')) ?? [];
        const page = await fetch(String(url));
        expect(page.status).toBe(200);
        expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
      });

      test('says on its pages and in its data what of the sample is generated', async () => {
        const { base } = newcomer;
        expect(await (await fetch(`${base}/en`)).text()).toContain('This is a sample: names are real');
        expect(await (await fetch(`${base}/api/status`)).json()).toMatchObject({ generated: true });
        const { flags } = (await newcomer.get('/listings/durov')).body;
        expect(flags).toEqual(['generated_text', 'generated_metrics']);
      });

      test('was not ready before it served the sample', async () => {
        const { first, ready } = await newcomer.readiness;
        expect(first.status).toBe(503);
        expect(ready.details).toContain(`serving ${PROJECTIONS.map(collectionOf).join(', ')}`);
      });

      test('has projected the whole sample, and totals agree', async () => {
        const categories = (await newcomer.get('/categories')).body;
        const top = (await newcomer.get('/top?limit=1')).body;
        expect(categories['total']).toBe(1276);
        expect(top['total']).toBe(1276);
      });

      test('goes on with the older days of the monitor, behind the back of whoever looks', async () => {
        const sample = () => readSample(newcomer.parts.documents);
        await expect.poll(sample, PATIENCE).toMatchObject({ appended: true });
        const from = async () => (await sample())?.from ?? 0;
        const first = await from();
        await expect.poll(from, PATIENCE).toBeLessThan(first);
        // The rest of the three months would take most of this file's time.
        await changeSample(newcomer.parts.documents, (state) => state && { ...state, from: 0 });
      });

      test('answers health on the admin port alone', async () => {
        const admin = `http://127.0.0.1:${newcomer.catalog.env['ADMIN_PORT']}`;
        expect((await fetch(`${admin}/livez`)).status).toBe(200);
        await expect.poll(async () => (await fetch(`${admin}/readyz`)).status).toBe(200);
        const metrics = await (await fetch(`${admin}/metrics`)).text();
        expect(metrics).toContain('catalog_records_consumed_total');
        expect((await fetch(`${newcomer.base}/readyz`)).status).toBe(404);
      });
    });

    test('verification passes beside the running service', async () => {
      const { code, stdout } = await newcomer.run(['verify', '--json']);
      expect(JSON.parse(stdout)).toMatchObject({ ok: true });
      expect(code).toBe(0);
    }, 180_000);

    describe('publishing from a second terminal', () => {
      test('an unpublished entry is 404 and leaves search, top and categories; only a newer revision brings it back', async () => {
        const before = Number((await newcomer.get('/categories')).body['total']);
        const search = () => newcomer.get(`/search?q=${SLUG}&limit=50`);
        const found = Number((await search()).body['total']);
        await newcomer.publish(unpublished({ subject: SLUG, revision: 2 }));
        const listing = () => newcomer.get(`/listings/${SLUG}?locale=en`);
        const categories = () => newcomer.get('/categories');
        await expect.poll(listing, PATIENCE).toMatchObject({ status: 404 });
        await expect.poll(categories, PATIENCE).toMatchObject({ body: { total: before - 1 } });
        const top = await newcomer.get('/top?kind=channel&limit=100');
        expect(top.body['total']).toBeDefined();
        expect(JSON.stringify(top.body)).not.toContain(`"${SLUG}"`);
        await expect.poll(search, PATIENCE).toMatchObject({ body: { total: found - 1 } });
        expect(JSON.stringify((await search()).body['items'])).not.toContain(`"${SLUG}"`);

        await newcomer.publish(published({ subject: SLUG, revision: 1, ...CONTENT }));
        expect((await listing()).status).toBe(404);

        await newcomer.publish(published({ subject: SLUG, revision: 3, ...CONTENT }));
        const republished = { status: 200, body: { title: 'Republished' } };
        await expect.poll(listing, PATIENCE).toMatchObject(republished);
        await expect.poll(categories, PATIENCE).toMatchObject({ body: { total: before } });
        await expect.poll(search, PATIENCE).toMatchObject({ body: { total: found } });
        expect(JSON.stringify((await search()).body['items'])).toContain(`"${SLUG}"`);
      });

      test('probes become the state of the monitor, which needs no key and is not behind', async () => {
        const subject = 'published-here';
        // Rounds that have counted, and are not yet old.
        const last = Math.floor(Date.now() / 60_000) - 2;
        const rounds = [last - 1, last].map((round) => probed({ subject, round }));
        await newcomer.publish(targetDefined({ subject, critical: false }), ...rounds);
        const shown = async () => {
          const { stale, components } = (await (await fetch(`${newcomer.base}/api/status`)).json()) as Status;
          return { stale, component: components.find(({ id }) => id === subject) };
        };
        const component = { state: 'up', vantage_points: [{ result: 'ok' }] };
        await expect.poll(shown, PATIENCE).toMatchObject({ stale: false, component });
      });

      test('status shows no lag and nothing parked', async () => {
        const { code, stdout } = await newcomer.run(['status', '--json']);
        expect(code).toBe(0);
        expect(JSON.parse(stdout)).toMatchObject({ parked: 0, findings: [] });
      });
    });

    describe('a stop and a second start', () => {
      test('SIGTERM ends with exit code 0, and the next start shows the same key', async () => {
        expect(await newcomer.service.stop()).toBe(0);
        newcomer.service = newcomer.catalog.start();
        const banner = await newcomer.service.printed('Ctrl-C stops.');
        expect(banner).toContain(`Demo key: ${newcomer.key}`);
        expect(banner).not.toContain('sample events appended');
      });

      test('after kill -9 the next start goes on at once', async () => {
        await newcomer.service.stop('SIGKILL');
        newcomer.service = await newcomer.catalog.started();
        await newcomer.publish(published({ subject: 'after-the-kill', revision: 1, ...CONTENT }));
        const shown = () => newcomer.get('/listings/after-the-kill');
        await expect.poll(shown, PATIENCE).toMatchObject({ status: 200 });
      });
    });
  });
}

/** What a newcomer has: one real process on the sample, and the command line in a second terminal. */
interface Newcomer extends AsyncDisposable {
  readonly catalog: Installation;
  readonly run: RunCommand;
  /** The process that runs now. */
  service: Running;
  readonly parts: Parts;
  /** The address that the first start has printed. */
  readonly base: string;
  /** The key that the first start has printed. */
  readonly key: string;
  readonly readiness: ReturnType<typeof untilReady>;
  /** Asks the API with that key. The answer has been held to the OpenAPI document. */
  get(path: string): Promise<{ readonly status: number; readonly body: Record<string, unknown> }>;
  /** Publishes from the second terminal, and waits until the events are projected. */
  publish(...events: readonly object[]): Promise<void>;
}

/** An entry of the sample. */
const SLUG = 'durov';

const CONTENT = {
  kind: 'channel',
  subtype: 'broadcast',
  username: SLUG,
  title: { en: 'Republished' },
  tags: [],
  verified: true,
  flags: [],
  links: [],
  category: 'news',
  published_at: '2026-01-01T00:00:00Z',
} as const;

/** `prepare` is what happens to the installation before the first start. */
async function openNewcomer(
  mode: Mode,
  prepare: (catalog: Installation, parts: Parts) => Promise<void>,
): Promise<Newcomer> {
  await using opened = new AsyncDisposableStack();
  const catalog = opened.use(await mode.install());
  const run = commandsHere(catalog);
  const parts = opened.use(await openParts(catalog.env));
  opened.defer(() => clearAway(parts));
  await prepare(catalog, parts);
  const running = { service: catalog.start(['start'], { LOG_LEVEL: 'info' }) };
  opened.defer(async () => void (await running.service.stop('SIGKILL')));
  const readiness = untilReady(catalog);
  const banner = await running.service.printed('Ctrl-C stops.');
  const base = /Catalog Read API: (\S+)/.exec(banner)?.[1] ?? '';
  const key = /Demo key: (\S+)/.exec(banner)?.[1] ?? '';
  const kept = opened.move();
  return Object.assign(running, {
    catalog,
    run,
    parts,
    base,
    key,
    readiness,
    get: async (path: string) => {
      const asked = () => fetch(`${base}/api/v1${path}`, { headers: { 'x-api-key': key } });
      const response = await patiently(asked);
      const body = await expectDocumented(response, path);
      return { status: response.status, body: body as Record<string, unknown> };
    },
    publish: async (...events: readonly object[]) => {
      const input = events.map((event) => JSON.stringify(event)).join('\n');
      const { code, stderr } = await run(['publish', '-', '--wait'], { input });
      expect(code, stderr).toBe(0);
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  });
}
