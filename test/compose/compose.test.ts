import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { published } from '../support/events.ts';
import { compose, composeCommand, type Composed } from '../support/containers/composing.ts';
import { findEngine, lacksBase, notRun, type Engine } from '../support/containers/engine.ts';
import { lookInside, NO_CAPABILITIES } from '../support/containers/inside.ts';
import { readAll, type Reader } from '../support/containers/reader.ts';
import { composeText, foreignImages, type ForeignImage } from '../support/containers/stand-ins.ts';
import { freePort } from '../support/process.ts';

/** docker-compose.yml, brought up and worked with, in the order of docs/guides/deploy.md. */

const found = findEngine();
const program = typeof found === 'string' ? null : composeCommand(found);
const reason = await lacking();
if (reason !== null) notRun('docker-compose.yml', reason);

async function lacking(): Promise<string | null> {
  if (typeof found === 'string') return found;
  if (program === null) return `neither "docker compose" nor podman-compose works for ${found.name}`;
  return await lacksBase(found);
}

const OURS = ['project', 'serve'];
/** How many of each run after the first tests. */
const COUNTS = { project: 3, serve: 2 } as const;
const WAVES = [
  ['kafka', 'mongodb', 'meilisearch'],
  ['kafka-users', 'search-keys'],
  ['topics'],
  OURS,
  ['front'],
];
const RUN_CATALOG = ['run', '--rm', '-T', '--no-deps', 'catalog'];
const RUNNING = [...OURS, 'front', 'kafka', 'mongodb', 'meilisearch'];

describe.skipIf(reason !== null)('docker-compose.yml', () => {
  const engine = found as Engine;
  const opened = new AsyncDisposableStack();
  const project = `catalog-${randomUUID().slice(0, 8)}`;
  const images = [1, 2].map((number) => `localhost/${project}:${number}`);
  let composed: Composed;
  let foreign: readonly ForeignImage[] = [];
  let front = '';
  let key = '';

  beforeAll(async () => {
    const answer = await foreignImages(engine, await composeText());
    if (typeof answer === 'string') throw new Error(answer);
    foreign = answer;
    for (const { variable, image, isStandIn } of foreign)
      process.stdout.write(`   ${variable.padEnd(18)} ${isStandIn ? 'stand-in' : image}\n`);
    const [first = '', second = ''] = images;
    const { TEST_IMAGE: built } = process.env;
    await (built === undefined ? engine.build(first) : engine.ok('tag', built, first));
    await engine.ok('tag', first, second);
    opened.defer(async () => void (await engine.run('rmi', ...images)));
    const port = String(await freePort());
    front = `http://127.0.0.1:${port}`;
    composed = await compose(engine, program ?? ['docker', 'compose'], project, {
      ...Object.fromEntries(foreign.map(({ variable, image }) => [variable, image])),
      CATALOG_IMAGE: first,
      CATALOG_PORT: port,
    });
    if (isStandIn('MONGODB_IMAGE')) withoutMongoUsers(composed.folder);
    opened.defer(() => composed.remove());
  });
  afterAll(() => opened.disposeAsync());

  const isStandIn = (variable: string): boolean =>
    foreign.some((one) => one.variable === variable && one.isStandIn);

  const one = async (service: string): Promise<string> => {
    const [container] = await composed.containersOf(service);
    if (container === undefined) throw new Error(`no container of ${service} runs`);
    return container;
  };

  /** Resolves when so many containers of a service run, and their health checks pass. */
  const healthy = async (service: string, count = 1): Promise<void> => {
    await vi.waitFor(
      async () => {
        const containers = await composed.containersOf(service);
        expect(containers.length, service).toBe(count);
        for (const container of containers) await expectHealthy(engine, container, service);
      },
      { timeout: 240_000, interval: 2000 },
    );
  };

  /** One service at a time: podman-compose takes one `--scale`. */
  const scale = (service: keyof typeof COUNTS, env = {}): Promise<string> => {
    const count = `${service}=${COUNTS[service]}`;
    return composed.ok(['up', '--detach', '--no-deps', '--no-recreate', '--scale', count, service], { env });
  };

  /** Resolves when a service that ends by itself has ended well. */
  const ended = async (service: string): Promise<void> => {
    await vi.waitFor(
      async () => {
        const [container] = await composed.containersOf(service, 'ended');
        if (container === undefined) throw new Error(`${service} has not ended`);
        const exitCode = await engine.ok('inspect', '--format', '{{.State.ExitCode}}', container);
        const { stdout, stderr } = await engine.run('logs', container);
        expect(exitCode, `${service}: ${stdout}${stderr}`).toBe('0');
      },
      { timeout: 240_000, interval: 2000 },
    );
  };

  const catalog = (args: readonly string[], options = {}): Promise<string> =>
    composed.ok([...RUN_CATALOG, ...args], options);

  const publish = async (...slugs: readonly string[]): Promise<void> => {
    const events = slugs.map((slug) => JSON.stringify(published({ subject: slug })));
    await catalog(['publish', '-'], { input: `${events.join('\n')}\n` });
  };

  /** Reading all the time would use up the day of one key. */
  const takeKey = async (account: string): Promise<void> => {
    key = keyIn(await catalog(['keys', 'create', '--account', account, '--json']));
  };

  const listing = async (slug: string): Promise<number> => {
    const asked = fetch(`${front}/api/v1/listings/${slug}`, { headers: { 'x-api-key': key } });
    return await asked.then(
      ({ status }) => status,
      () => 0,
    );
  };

  test('comes up, each service healthy', async () => {
    // In the order of `depends_on`, which is waited for by Docker's compose and not by that of Podman 4.
    for (const wave of WAVES) {
      await composed.ok(['up', '--detach', '--no-deps', '--no-recreate', ...wave]);
      for (const service of wave) await (RUNNING.includes(service) ? healthy(service) : ended(service));
    }
  });

  test('has made the topics as the contract wants them', async () => {
    expect(await catalog(['topics', 'check'])).toContain('catalog.entries');
  });

  test.each(OURS)('gives %s no rights, and nothing to write to', async (service) => {
    const inside = await lookInside(engine, await one(service));
    expect(inside).toMatchObject({
      uid: 1000,
      capabilities: NO_CAPABILITIES,
      hasNoNewPrivileges: true,
      installers: [],
    });
    const own = inside.writable.filter((folder) => folder !== '/data' && !isOfEngine(folder));
    expect(own).toEqual([]);
  });

  test.each(['front', 'kafka', 'mongodb', 'meilisearch'])(
    'gives %s no capabilities either',
    async (service) => {
      const status = await engine.ok('exec', await one(service), 'cat', '/proc/1/status');
      const masks = [...status.matchAll(/^Cap(?:Inh|Prm|Eff|Bnd|Amb):\s*(\w+)$/gm)].map(([, mask]) => mask);
      expect(masks).toEqual(NO_CAPABILITIES);
      expect(status).toMatch(/^NoNewPrivs:\s*1$/m);
      const isRoot = /^Uid:\s*0\b/m.test(status);
      expect(isRoot && service !== 'meilisearch').toBe(false);
    },
  );

  test('shows no secret in an environment or a command line', async () => {
    const folder = join(composed.folder, 'secrets');
    const secrets = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8').trim());
    for (const service of RUNNING) {
      const shown = await engine.ok('inspect', await one(service));
      for (const secret of secrets) expect(shown.includes(secret), service).toBe(false);
    }
  });

  test('serves through the front what was published, with a key that was made', async () => {
    await takeKey('me');
    await publish('first');
    await expect.poll(() => listing('first')).toBe(200);
    expect(await listing('never')).toBe(404);
  });

  test('lets nobody into Kafka without a user, and a user no further than it has to go', async () => {
    const publishing = (environment: Readonly<Record<string, string>>) =>
      composed.compose(
        [
          'run',
          '--rm',
          '-T',
          '--no-deps',
          ...Object.entries(environment).flatMap(([name, value]) => ['-e', `${name}=${value}`]),
          'catalog',
          'publish',
          '-',
        ],
        { input: `${JSON.stringify(published({ subject: 'stranger' }))}\n` },
      );
    const nobody = await publishing({ CATALOG_LOG_USERNAME: '', CATALOG_LOG_PASSWORD_FILE: '' });
    expect(nobody.code, nobody.stderr).toBe(1);
    const projector = await publishing({ CATALOG_LOG_USERNAME: 'project' });
    expect(projector.code, projector.stderr).toBe(1);
    const lookup = `require('node:dns').promises.lookup('kafka').then(() => process.exit(1), () => process.exit(0))`;
    await engine.ok('exec', await one('serve'), 'node', '--eval', lookup);
  });

  test('runs as many of each as is asked for, all behind the one address', async () => {
    for (const service of ['project', 'serve'] as const) {
      await scale(service);
      await healthy(service, COUNTS[service]);
    }
    await publish('second', 'third');
    for (const slug of ['second', 'third']) await expect.poll(() => listing(slug)).toBe(200);
  });

  test.each([...OURS, 'meilisearch', 'kafka', 'mongodb'])(
    'goes on when a container of %s is killed, and reads meanwhile',
    async (service) => {
      if (service === 'mongodb' && isStandIn('MONGODB_IMAGE')) {
        notRun('mongodb killed', 'the stand-in keeps its documents in memory');
        return;
      }
      await takeKey(`reads-while-${service}-is-killed`);
      await using reader = reading();
      const container = await one(service);
      await engine.ok('kill', '--signal', 'KILL', container);
      if (service !== 'kafka') await publish(`after-${service}`);
      await engine.run('start', container);
      await vi.waitFor(() => expectHealthy(engine, container, service), { timeout: 240_000, interval: 2000 });
      // It may have lost its keys with everything else.
      if (service === 'meilisearch') await again('search-keys');
      if (service === 'kafka') await publish('after-kafka');
      await expect.poll(() => listing(`after-${service}`)).toBe(200);
      expectOnly(await reader.outcomes(), [200, 503]);
    },
  );

  test('is there again when the front was killed', async () => {
    const container = await one('front');
    await engine.ok('kill', '--signal', 'KILL', container);
    await engine.run('start', container);
    await expect.poll(() => listing('first')).toBe(200);
  });

  test('replaces its image, one container after the other, while it answers', async () => {
    await takeKey('reads-while-all-is-replaced');
    await using reader = reading();
    const env = { CATALOG_IMAGE: String(images[1]) };
    for (const service of ['project', 'serve'] as const) {
      for (const container of await composed.containersOf(service)) {
        await engine.ok('stop', '--time', '30', container);
        expect(await engine.ok('inspect', '--format', '{{.State.ExitCode}}', container)).toBe('0');
        await engine.ok('rm', '--force', container);
        await scale(service, env);
        await healthy(service, COUNTS[service]);
      }
      for (const container of await composed.containersOf(service)) {
        const image = await engine.ok('inspect', '--format', '{{.Config.Image}}', container);
        expect(image).toBe(images[1]);
      }
    }
    await publish('replaced');
    await expect.poll(() => listing('replaced')).toBe(200);
    expectOnly(await reader.outcomes(), [200, 503]);
  });

  test('has lost nothing in the end', async () => {
    const verified = await composed.compose([...RUN_CATALOG, 'verify', '--json']);
    expect(verified.code, `${verified.stdout}${verified.stderr}`).toBe(0);
    const { read_models } = JSON.parse(verified.stdout) as {
      readonly read_models: readonly { readonly documents: number }[];
    };
    expect(read_models[0]?.documents).toBeGreaterThan(1);
  });

  const reading = (): Reader => readAll(() => listing('first'));

  /** Runs a service that ends by itself once more. */
  const again = async (service: string): Promise<void> => {
    await composed.ok(['run', '--rm', '-T', '--no-deps', service]);
  };

  const expectOnly = (outcomes: ReadonlyMap<number, number>, allowed: readonly number[]): void => {
    process.stdout.write(`   reads meanwhile: ${JSON.stringify(Object.fromEntries(outcomes))}\n`);
    expect(outcomes.get(200) ?? 0).toBeGreaterThan(0);
    for (const status of outcomes.keys()) expect(allowed).toContain(status);
  };
});

/** By its own health check; the engine is asked to run it now, rather than waited for. */
async function expectHealthy(engine: Engine, container: string, service: string): Promise<void> {
  if (engine.name === 'podman') {
    const { code } = await engine.run('healthcheck', 'run', container);
    if (code === 0) return;
  } else if ((await engine.ok('inspect', '--format', '{{.State.Health.Status}}', container)) === 'healthy')
    return;
  const { stdout, stderr } = await engine.run('logs', '--tail', '30', container);
  throw new Error(`${service} is not healthy: ${`${stdout}${stderr}`.slice(-2000)}`);
}

/** Where an engine puts files of its own into every container. */
function isOfEngine(folder: string): boolean {
  return /^\/(?:dev|run|tmp|var\/tmp)(?:\/|$)/.test(folder);
}

/** The stand-in knows no users: what is tested of them is the script that makes them. */
function withoutMongoUsers(folder: string): void {
  notRun('MongoDB with users', 'the stand-in has none');
  for (const user of OURS) {
    const file = join(folder, 'secrets', `${user}-documents-url`);
    rmSync(file);
    writeFileSync(file, 'mongodb://mongodb:27017/catalog\n', { mode: 0o444 });
  }
}

function keyIn(printed: string): string {
  const { key } = JSON.parse(printed.slice(printed.indexOf('{'))) as { readonly key: string };
  return key;
}
