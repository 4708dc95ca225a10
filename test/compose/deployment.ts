import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, vi } from 'vitest';

import { compose, type Composed, type ComposeOptions } from '../support/containers/composing.ts';
import { notRun, type Engine } from '../support/containers/engine.ts';
import { composeText, foreignImages } from '../support/containers/stand-ins.ts';
import { published } from '../support/events.ts';
import { freePort } from '../support/free-ports.ts';

export const OURS = ['project', 'serve', 'accounts'] as const;
/** How many of each run after the first tests. */
export const COUNTS = { project: 3, serve: 2, accounts: 2 } as const;
export const RUN_CATALOG = ['run', '--rm', '-T', '--no-deps', 'catalog'];
export const WAITING = { timeout: 240_000, interval: 2000 };

/** docker-compose.yml with an image of ours, and what operators and readers do with it. */
export interface Deployment extends AsyncDisposable {
  readonly composed: Composed;
  /** Where readers and holders of accounts are. */
  readonly url: string;
  /** Two names of our image: the one that is started, and the one that replaces it. */
  readonly images: readonly string[];
  /** Whether a stand-in runs in the place of the image that this variable names. */
  isStandIn(variable: string): boolean;
  /** A container of a service that runs. */
  one(service: string): Promise<string>;
  /** Resolves when so many containers of a service run, and their health checks pass. */
  healthy(service: string, count?: number): Promise<void>;
  /** One service at a time: podman-compose takes one `--scale`. */
  scale(service: keyof typeof COUNTS, env?: Readonly<Record<string, string>>): Promise<string>;
  /** Resolves when a service that ends by itself has ended well. */
  ended(service: string): Promise<void>;
  /** Runs a service that ends by itself once more. */
  again(service: string): Promise<void>;
  /** Runs a command of the catalog. */
  catalog(args: readonly string[], options?: ComposeOptions): Promise<string>;
  publish(...slugs: readonly string[]): Promise<void>;
  /** Makes the key that reads take from now on: reading all the time would use up the day of one key. */
  takeKey(account: string): Promise<void>;
  /** The status of an entry at the front; 0 where nothing answers. */
  listing(slug: string): Promise<number>;
}

/** Builds the image, unless TEST_IMAGE names one, and writes the files down. Nothing runs yet. */
export async function openDeployment(
  engine: Engine,
  program: readonly [string, ...string[]],
): Promise<Deployment> {
  await using opened = new AsyncDisposableStack();
  const project = `catalog-${randomUUID().slice(0, 8)}`;
  const images = [1, 2].map((number) => `localhost/${project}:${number}`);
  const [first = '', second = ''] = images;
  const foreign = await foreignImages(engine, await composeText());
  if (typeof foreign === 'string') throw new Error(foreign);
  for (const { variable, image, isStandIn } of foreign)
    process.stdout.write(`   ${variable.padEnd(18)} ${isStandIn ? 'stand-in' : image}\n`);
  const { TEST_IMAGE: built } = process.env;
  await (built === undefined ? engine.build(first) : engine.ok('tag', built, first));
  await engine.ok('tag', first, second);
  opened.defer(async () => void (await engine.run('rmi', ...images)));
  const port = String(await freePort());
  // As docker-compose.yml names it, and as forms of accounts say where they are from.
  const url = `http://localhost:${port}`;
  const composed = await compose(engine, program, project, {
    ...Object.fromEntries(foreign.map(({ variable, image }) => [variable, image])),
    CATALOG_IMAGE: first,
    CATALOG_PORT: port,
  });
  opened.defer(() => composed.remove());
  const isStandIn = (variable: string): boolean =>
    foreign.some((one) => one.variable === variable && one.isStandIn);
  if (isStandIn('MONGODB_IMAGE')) withoutMongoUsers(composed.folder);
  const catalog = (args: readonly string[], options: ComposeOptions = {}): Promise<string> =>
    composed.ok([...RUN_CATALOG, ...args], options);
  let key = '';
  const kept = opened.move();
  return {
    composed,
    url,
    images,
    isStandIn,
    one: async (service) => {
      const [container] = await composed.containersOf(service);
      if (container === undefined) throw new Error(`no container of ${service} runs`);
      return container;
    },
    healthy: async (service, count = 1) => {
      await vi.waitFor(async () => {
        const containers = await composed.containersOf(service);
        expect(containers.length, service).toBe(count);
        for (const container of containers) await expectHealthy(engine, container, service);
      }, WAITING);
    },
    scale: (service, env = {}) => {
      const count = `${service}=${COUNTS[service]}`;
      return composed.ok(['up', '--detach', '--no-deps', '--no-recreate', '--scale', count, service], {
        env,
      });
    },
    ended: async (service) => {
      await vi.waitFor(async () => {
        const [container] = await composed.containersOf(service, 'ended');
        if (container === undefined) throw new Error(`${service} has not ended`);
        const exitCode = await engine.ok('inspect', '--format', '{{.State.ExitCode}}', container);
        const { stdout, stderr } = await engine.run('logs', container);
        expect(exitCode, `${service}: ${stdout}${stderr}`).toBe('0');
      }, WAITING);
    },
    again: async (service) => {
      await composed.ok(['run', '--rm', '-T', '--no-deps', service]);
    },
    catalog,
    publish: async (...slugs) => {
      const events = slugs.map((slug) => JSON.stringify(published({ subject: slug })));
      await catalog(['publish', '-'], { input: `${events.join('\n')}\n` });
    },
    takeKey: async (account) => {
      key = keyIn(await catalog(['keys', 'create', '--account', account, '--json']));
    },
    listing: async (slug) => {
      const asked = fetch(`${url}/api/v1/listings/${slug}`, { headers: { 'x-api-key': key } });
      return await asked.then(
        ({ status }) => status,
        () => 0,
      );
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** By its own health check; the engine is asked to run it now, rather than waited for. */
export async function expectHealthy(engine: Engine, container: string, service: string): Promise<void> {
  if (engine.name === 'podman') {
    const { code } = await engine.run('healthcheck', 'run', container);
    if (code === 0) return;
  } else if ((await engine.ok('inspect', '--format', '{{.State.Health.Status}}', container)) === 'healthy')
    return;
  const { stdout, stderr } = await engine.run('logs', '--tail', '30', container);
  throw new Error(`${service} is not healthy: ${`${stdout}${stderr}`.slice(-2000)}`);
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
