import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { COMPOSE } from '../support/compose.ts';
import { findEngine, lacksBase, notRun, type Engine } from '../support/containers/engine.ts';
import { lookInside, NO_CAPABILITIES } from '../support/containers/inside.ts';

/** The image, built and run by whatever engine this machine has. */

const found = findEngine();
const reason = typeof found === 'string' ? found : await lacksBase(found);
if (reason !== null) notRun('image', reason);

describe.skipIf(reason !== null)('the image', () => {
  const engine = found as Engine;
  const image = process.env['TEST_IMAGE'] ?? `catalog-read-api:test-${randomUUID().slice(0, 8)}`;
  const opened = new AsyncDisposableStack();
  let volume = '';

  beforeAll(async () => {
    if (process.env['TEST_IMAGE'] === undefined) {
      await engine.build(image);
      opened.defer(async () => void (await engine.run('rmi', image)));
    }
    volume = await engine.ok('volume', 'create');
    opened.defer(async () => void (await engine.run('volume', 'rm', '--force', volume)));
  }, 600_000);
  afterAll(() => opened.disposeAsync(), 120_000);

  /** As compose and the guide run it. */
  const flags = (): readonly string[] => [
    '--read-only',
    ...(engine.name === 'podman' ? ['--read-only-tmpfs=false'] : []),
    '--cap-drop=ALL',
    '--security-opt=no-new-privileges',
    `--volume=${volume}:/data`,
  ];

  /** As compose runs what keeps nothing in files: without a volume, and nothing to write to. */
  const bare = (): readonly string[] => flags().filter((flag) => !flag.startsWith('--volume'));

  const start = async (...args: readonly string[]): Promise<string> => {
    const container = await engine.ok('run', '--detach', ...flags(), ...args);
    opened.defer(async () => void (await engine.run('rm', '--force', container)));
    return container;
  };

  test('is of a size that is known', async () => {
    const size = Number(await engine.ok('image', 'inspect', '--format', '{{.Size}}', image));
    process.stdout.write(`   ${engine.version}: ${image} is ${Math.round(size / 1e6)} MB\n`);
    expect(size).toBeGreaterThan(0);
    expect(size).toBeLessThan(600e6);
  });

  test('says what it can do, and does nothing, where no command is given', async () => {
    const { code, stderr } = await engine.run('run', '--rm', ...flags(), image);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/serve[^]+project/) });
    expect(stderr).not.toContain('npm run');
  });

  test('needs no folder that it may write where all stores are services', async () => {
    const elsewhere = {
      CATALOG_LOG_URL: 'kafka://127.0.0.1:1',
      CATALOG_DOCUMENTS_URL: 'mongodb://127.0.0.1:1/catalog',
      CATALOG_SEARCH_URL: 'http://127.0.0.1:1',
      CATALOG_SEARCH_KEY: 'none',
      CATALOG_KEY_PEPPER: 'a pepper of the tests',
    };
    const settings = Object.entries(elsewhere).map(([name, value]) => `--env=${name}=${value}`);
    const { code, stderr } = await engine.run(
      'run',
      '--rm',
      ...bare(),
      ...settings,
      image,
      'doctor',
      'topics',
      '--create',
    );
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^catalog: .*127\.0\.0\.1:1/m),
    });
    expect(stderr).not.toContain('a fault of ours');
  });

  test('runs a command to its end', async () => {
    const { code, stdout } = await engine.run('run', '--rm', ...flags(), image, 'openapi');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ openapi: '3.1.0' });
  });

  // `project` before `serve`: it makes what `serve` reads.
  test.each([
    ['project', []],
    ['serve', []],
    ['start', ['--env=CATALOG_SAMPLE=once']],
  ])('runs %s as nobody in particular, without rights, until it is told to end', async (name, settings) => {
    const container = await start(...settings, image, name);
    await healthy(engine, container);
    const inside = await lookInside(engine, container);
    expect(inside).toMatchObject({
      uid: 1000,
      gid: 1000,
      capabilities: NO_CAPABILITIES,
      hasNoNewPrivileges: true,
      installers: [],
    });
    // Where the engine puts shared memory of its own.
    expect(inside.writable.filter((folder) => !folder.startsWith('/dev'))).toEqual(['/data']);
    const shown = async (): Promise<string> => {
      const { stdout, stderr } = await engine.run('logs', container);
      return `${stdout}${stderr}`;
    };
    await expect.poll(async () => (await shown()).includes('Demo key')).toBe(name === 'start');
    // What has never been complete is not served, and the next one has nobody who projects.
    const complete = async (): Promise<number> =>
      (await shown()).split('the read model is complete').length - 1;
    await expect.poll(complete).toBeGreaterThanOrEqual(name === 'project' ? 3 : 0);
    await engine.ok('stop', '--time', '30', container);
    expect(await engine.ok('inspect', '--format', '{{.State.ExitCode}}', container)).toBe('0');
  });

  test('serves from one container what another one has projected', async () => {
    const project = await start(image, 'project');
    const serve = await start(image, 'serve');
    for (const container of [project, serve]) await healthy(engine, container);
    const created = await engine.ok(
      'exec',
      serve,
      'node',
      'src/main.mjs',
      'keys',
      'create',
      '--account',
      'me',
      '--json',
    );
    const { key } = JSON.parse(created) as { readonly key: string };
    const ask = `fetch('http://127.0.0.1:8080/api/v1/top?limit=3', { headers: { 'x-api-key': '${key}' } }).then(async (answer) => console.log(answer.status, (await answer.json()).total > 0))`;
    expect(await engine.ok('exec', serve, 'node', '--eval', ask)).toBe('200 true');
  });
});

/** By the health check of docker-compose.yml. */
async function healthy(engine: Engine, container: string): Promise<void> {
  const { healthcheck } = COMPOSE.services['serve'] ?? {};
  const [, ...check] = [healthcheck?.test ?? []].flat();
  await vi.waitFor(
    async () => {
      const { code } = await engine.run('exec', container, ...check);
      if (code === 0) return;
      const { stdout, stderr } = await engine.run('logs', container);
      throw new Error(`it is not healthy: ${`${stdout}${stderr}`.slice(-1500)}`);
    },
    { timeout: 90_000, interval: 1000 },
  );
}
