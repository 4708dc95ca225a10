import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { readHistory, writeHistory } from '../../src/cli/commands/start/sample-state.ts';
import type { Status } from '../../src/monitor/body.ts';
import { compose, type Parts } from '../../src/compose/parts.ts';
import { readConfig } from '../../src/config.ts';
import { probed, published, targetDefined, unpublished } from '../support/events.ts';
import { clearAway, type Mode } from '../support/mode.ts';
import { expectDocumented } from '../support/openapi-validation.ts';
import type { Installation, RunCommand, Running } from '../support/process.ts';
import { untilReady } from '../support/readyz.ts';
import { commandsHere } from '../support/run-here.ts';

const SLUG = 'durov';

/**
 * The whole product as a newcomer meets it: one real process, the sample, the command line from a second terminal.
 * `prepare` is what happens to the installation before.
 */
export function newcomersCatalog(
  mode: Mode,
  prepare: (catalog: Installation, parts: Parts) => Promise<void> = () => Promise.resolve(),
): void {
  describe.runIf(mode.isHere)(`a newcomer's catalog, ${mode.name}`, () => {
    let catalog: Installation;
    let run: RunCommand;
    let service: Running;
    let parts: Parts;
    let base: string;
    let key: string;
    let readiness: ReturnType<typeof untilReady>;

    beforeAll(async () => {
      catalog = await mode.install();
      run = commandsHere(catalog);
      parts = await compose(readConfig(catalog.env), 'test');
      await prepare(catalog, parts);
      service = catalog.start();
      readiness = untilReady(catalog);
      const banner = await service.printed('Ctrl-C stops.');
      base = /Catalog Read API: (\S+)/.exec(banner)?.[1] ?? '';
      key = /Demo key: (\S+)/.exec(banner)?.[1] ?? '';
    });
    afterAll(async () => {
      await service.stop('SIGKILL');
      await clearAway(parts);
      await parts[Symbol.asyncDispose]();
      await catalog[Symbol.asyncDispose]();
    });

    async function get(
      path: string,
    ): Promise<{ readonly status: number; readonly body: Record<string, unknown> }> {
      const response = await fetch(`${base}/api/v1${path}`, { headers: { 'x-api-key': key } });
      const body = await expectDocumented(response, path);
      return { status: response.status, body: body as Record<string, unknown> };
    }

    /** Asks again until the answer satisfies the condition; fails with the test's own time limit. */
    async function eventually<T>(ask: () => Promise<T>, isRight: (answer: T) => boolean): Promise<T> {
      for (;;) {
        const answer = await ask();
        if (isRight(answer)) return answer;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }

    async function publish(...events: readonly object[]): Promise<void> {
      const input = events.map((event) => JSON.stringify(event)).join('\n');
      const { code, stderr } = await run(['publish', '-', '--wait'], { input });
      expect(code, stderr).toBe(0);
    }

    const content = {
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

    describe('the first start', () => {
      test('prints requests that work as printed, and have something to answer', async () => {
        const banner = await service.printed('Ctrl-C stops.');
        const printed = /curl (?:-G )?(?:-H 'x-api-key: (\S+)' )?(?:--data-urlencode '(\S+)' )?'(\S+)'/g;
        const requests = [...banner.matchAll(printed)];
        expect(requests).toHaveLength(4);
        for (const [, header, data, url] of requests) {
          const response = await fetch(
            data === undefined ? String(url) : `${url}&${encodeURI(data)}`,
            header === undefined ? {} : { headers: { 'x-api-key': header } },
          );
          expect(response.status).toBe(200);
          expect((await response.text()).length).toBeGreaterThan(500);
        }
      });

      test('names a documentation that is there', async () => {
        const [, url] = /^Documentation: (\S+)/m.exec(await service.printed('Ctrl-C stops.')) ?? [];
        const page = await fetch(String(url));
        expect(page.status).toBe(200);
        expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
      });

      test('was not ready before it served the sample', async () => {
        const { first, ready } = await readiness;
        expect(first.status).toBe(503);
        expect(ready.details).toContain('serving listings@1, categories@1, monitor@1');
      });

      test('has projected the whole sample, and totals agree', async () => {
        const categories = (await get('/categories')).body;
        const top = (await get('/top?limit=1')).body;
        expect(categories['total']).toBe(1276);
        expect(top['total']).toBe(1276);
      });

      test('goes on with the older days of the monitor, behind the back of whoever looks', async () => {
        await eventually(
          async () => (await readHistory(parts.documents))?.body ?? null,
          (history) => history !== null,
        );
        // The rest of the three months would take most of this file's time.
        await eventually(
          async () => {
            const stored = await readHistory(parts.documents);
            if (stored) await writeHistory(parts.documents, stored.version, { from: 0 });
            return stored?.body.from;
          },
          (from) => from === 0,
        );
      });

      test('answers health on the admin port alone', async () => {
        const admin = `http://127.0.0.1:${catalog.env['ADMIN_PORT']}`;
        expect((await fetch(`${admin}/livez`)).status).toBe(200);
        await expect.poll(async () => (await fetch(`${admin}/readyz`)).status).toBe(200);
        const metrics = await (await fetch(`${admin}/metrics`)).text();
        expect(metrics).toContain('catalog_records_consumed_total');
        expect((await fetch(`${base}/readyz`)).status).toBe(404);
      });
    });

    describe('verification', () => {
      test('passes beside the running service', async () => {
        const { code, stdout } = await run(['verify', '--json']);
        expect(JSON.parse(stdout)).toMatchObject({ ok: true });
        expect(code).toBe(0);
      }, 180_000);
    });

    describe('publishing from a second terminal', () => {
      test('an unpublished entry is 404 and leaves search, top and categories; only a newer revision brings it back', async () => {
        const before = Number((await get('/categories')).body['total']);
        const search = () => get(`/search?q=${SLUG}&limit=50`);
        const found = Number((await search()).body['total']);
        await publish(unpublished({ subject: SLUG, revision: 2 }));
        await eventually(
          () => get(`/listings/${SLUG}`),
          ({ status }) => status === 404,
        );
        await eventually(
          () => get('/categories'),
          ({ body }) => body['total'] === before - 1,
        );
        const top = await eventually(
          () => get('/top?kind=channel&limit=100'),
          ({ body }) => body['total'] !== undefined,
        );
        expect(JSON.stringify(top.body)).not.toContain(`"${SLUG}"`);
        const gone = await eventually(search, ({ body }) => body['total'] === found - 1);
        expect(JSON.stringify(gone.body['items'])).not.toContain(`"${SLUG}"`);

        await publish(published({ subject: SLUG, revision: 1, ...content }));
        expect((await get(`/listings/${SLUG}`)).status).toBe(404);

        await publish(published({ subject: SLUG, revision: 3, ...content }));
        const { body } = await eventually(
          () => get(`/listings/${SLUG}?locale=en`),
          ({ status }) => status === 200,
        );
        expect(body['title']).toBe('Republished');
        await eventually(
          () => get('/categories'),
          (answer) => answer.body['total'] === before,
        );
        const back = await eventually(search, (answer) => answer.body['total'] === found);
        expect(JSON.stringify(back.body['items'])).toContain(`"${SLUG}"`);
      });

      test('probes become the state of the monitor, which needs no key and is not behind', async () => {
        const subject = 'published-here';
        // Rounds that have counted, and are not yet old.
        const last = Math.floor(Date.now() / 60_000) - 2;
        const rounds = [last - 1, last].map((round) => probed({ subject, round }));
        await publish(targetDefined({ subject, critical: false }), ...rounds);
        const { components } = await eventually(
          async () => (await (await fetch(`${base}/api/status`)).json()) as Status,
          (status) =>
            !status.stale && status.components.some(({ id, state }) => id === subject && state === 'up'),
        );
        expect(components.find(({ id }) => id === subject)?.vantage_points).toMatchObject([{ result: 'ok' }]);
      });

      test('status shows no lag and nothing parked', async () => {
        const { code, stdout } = await run(['status', '--json']);
        expect(code).toBe(0);
        expect(JSON.parse(stdout)).toMatchObject({ parked: 0, halted: [] });
      });
    });

    describe('a stop and a second start', () => {
      test('SIGTERM ends with exit code 0, and the next start shows the same key', async () => {
        expect(await service.stop()).toBe(0);
        service = catalog.start();
        const banner = await service.printed('Ctrl-C stops.');
        expect(banner).toContain(`Demo key: ${key}`);
        expect(banner).not.toContain('sample events appended');
      });

      test('after kill -9 the next start goes on at once', async () => {
        await service.stop('SIGKILL');
        service = catalog.start();
        await service.printed('Ctrl-C stops.');
        await publish(published({ subject: 'after-the-kill', revision: 1, ...content }));
        await eventually(
          () => get('/listings/after-the-kill'),
          ({ status }) => status === 200,
        );
      });
    });

    describe('what goes wrong is said in one clear line', () => {
      const oneLine = /^catalog: [^\n]+\n$/;

      test('a busy port', async () => {
        const { code, stderr } = await catalog.catalog(['serve']);
        expect(stderr).toMatch(/^catalog: Port \d+ is in use\. .+\n$/);
        expect(code).toBe(1);
      });

      test.each([
        ['an unknown command', ['strat']],
        ['an unknown flag', ['status', '--jsno']],
        ['a missing argument', ['publish']],
        ['a missing option', ['keys', 'create']],
        ['a lane that does not exist', ['start', '--accept-gap', 'listings@1/catalog.entries']],
      ])('%s is a usage error', async (_case, args) => {
        const { code, stderr } = await run(args);
        expect(stderr).toMatch(oneLine);
        expect(code).toBe(2);
      });

      test('a wrong variable is a usage error', async () => {
        const { code, stderr } = await run(['status'], { env: { PORT: 'eighty' } });
        expect(stderr).toMatch(/^catalog: PORT is wrong: .+\n$/);
        expect(code).toBe(2);
      });

      test('a broken line in a file: it is named, and nothing is appended', async () => {
        const file = join(catalog.folder, 'events.ndjson');
        const good = JSON.stringify(published({ subject: 'never-appended', revision: 1, ...content }));
        writeFileSync(
          file,
          `${good}\n${good.slice(0, 40)}\n${good.replace('"revision":1', '"revision":"x"')}\n`,
        );
        const { code, stdout, stderr } = await run(['publish', file]);
        expect(stderr).toContain(`${file}:2: `);
        expect(stderr).toMatch(new RegExp(`${file}:3: .*revision`));
        expect(stdout).toContain('Nothing was appended');
        expect(code).toBe(1);
        expect((await get('/listings/never-appended')).status).toBe(404);
      });

      test('a file that is no NDJSON in UTF-8: every line is refused, and it is said what is meant', async () => {
        const file = join(catalog.folder, 'windows-1251.ndjson');
        const event = JSON.stringify(published({ subject: 'cyrillic', ...content, title: { ru: 'Ж' } }));
        const [before = '', after = ''] = event.split('Ж');
        writeFileSync(file, Buffer.from(`${before}\xc6${after}\n`, 'latin1'));
        const { code, stderr } = await run(['publish', file, '--dry-run']);
        expect(stderr).toContain(`${file}:1: value: expected UTF-8`);
        expect(stderr).toContain('Give NDJSON in UTF-8');
        expect(code).toBe(1);
      });

      test('a slip in the name of a field that may be absent: it is told by its path', async () => {
        const input = JSON.stringify(published({ ...content, desciption: { en: 'x' } }));
        const { stderr } = await run(['publish', '-', '--dry-run'], { input });
        expect(stderr).toContain('1 field that nobody reads: data.desciption.');
        const { stdout } = await run(['publish', '-', '--dry-run', '--json'], { input });
        expect(JSON.parse(stdout)).toMatchObject({ unknown_field_paths: { 'data.desciption': 1 } });
      });

      test('a broken line on standard input: what came before it is appended, and counted', async () => {
        const good = JSON.stringify(published({ subject: 'appended', revision: 1, ...content }));
        const { code, stdout, stderr } = await run(['publish', '-', '--json'], {
          input: `${good}\nrubbish\n${good}\n`,
        });
        expect(JSON.parse(stdout)).toMatchObject({ appended: 1, invalid: 1 });
        expect(stderr).toBe('');
        expect(code).toBe(1);
      });

      test('a wrong key', async () => {
        const response = await fetch(`${base}/api/v1/categories`, {
          headers: { 'x-api-key': `${key.slice(0, -1)}~` },
        });
        expect(await expectDocumented(response, '/categories')).toMatchObject({ error: { code: 'bad_key' } });
        expect(response.status).toBe(401);
      });
    });
  });
}
