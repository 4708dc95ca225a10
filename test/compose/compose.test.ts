import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { GUARDED } from '../../src/compose/read-only-accounts.ts';
import { published } from '../support/events.ts';
import { ATTACKS } from '../support/role-attacks.ts';
import { keyIn, visitor } from '../support/visitor.ts';
import { composeCommand } from '../support/containers/composing.ts';
import { findEngine, lacksBase, notRun, type Engine } from '../support/containers/engine.ts';
import { lookInside, NO_CAPABILITIES } from '../support/containers/inside.ts';
import {
  COUNTS,
  expectHealthy,
  openDeployment,
  OURS,
  RUN_CATALOG,
  WAITING,
  type Deployment,
} from './deployment.ts';

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

const WAVES: readonly (readonly string[])[] = [
  ['kafka', 'mongodb', 'meilisearch'],
  ['kafka-users', 'search-keys'],
  ['topics'],
  OURS,
  ['front'],
];
const RUNNING = [...OURS, 'front', 'kafka', 'mongodb', 'meilisearch'];

describe.skipIf(reason !== null)('docker-compose.yml', () => {
  const engine = found as Engine;
  const opened = new AsyncDisposableStack();
  let deployment: Deployment;

  beforeAll(async () => {
    deployment = opened.use(await openDeployment(engine, program ?? ['docker', 'compose']));
  });
  // Where the set-up failed there is nothing to close, and its error is the only one.
  afterAll(() => opened.disposeAsync());

  test('comes up, each service healthy', async () => {
    // In the order of `depends_on`, which is waited for by Docker's compose and not by that of Podman 4.
    for (const wave of WAVES) {
      await deployment.composed.ok(['up', '--detach', '--no-deps', '--no-recreate', ...wave]);
      for (const service of wave)
        await (RUNNING.includes(service) ? deployment.healthy(service) : deployment.ended(service));
    }
  });

  test('has made the topics as the contract wants them', async () => {
    const said = await deployment.catalog(['doctor', 'topics', '--json']);
    const { ok, checks } = JSON.parse(said) as { ok: boolean; checks: { name: string; verdict: string }[] };
    expect(ok).toBe(true);
    const topics = checks.filter(({ name }) => name.startsWith('topic '));
    expect(topics).toHaveLength(6);
    // One broker has no replicas: a warning.
    for (const { verdict } of topics) expect(['ok', 'warning']).toContain(verdict);
  });

  test.each(OURS)('gives %s no rights, and nothing to write to', async (service) => {
    const inside = await lookInside(engine, await deployment.one(service));
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
      const status = await engine.ok('exec', await deployment.one(service), 'cat', '/proc/1/status');
      const masks = [...status.matchAll(/^Cap(?:Inh|Prm|Eff|Bnd|Amb):\s*(\w+)$/gm)].map(([, mask]) => mask);
      expect(masks).toEqual(NO_CAPABILITIES);
      expect(status).toMatch(/^NoNewPrivs:\s*1$/m);
      const isRoot = /^Uid:\s*0\b/m.test(status);
      expect(isRoot && service !== 'meilisearch').toBe(false);
    },
  );

  test('shows no secret in an environment or a command line', async () => {
    const folder = join(deployment.composed.folder, 'secrets');
    const secrets = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8').trim());
    for (const service of RUNNING) {
      const shown = await engine.ok('inspect', await deployment.one(service));
      for (const secret of secrets) expect(shown.includes(secret), service).toBe(false);
    }
  });

  test('serves through the front what was published, with a key that was made', async () => {
    await deployment.takeKey('me');
    await deployment.publish('first');
    await expect.poll(() => deployment.listing('first')).toBe(200);
    expect(await deployment.listing('never')).toBe(404);
  });

  test('lets the holder of an account in through the front, by a link of the command line', async () => {
    const invited = await deployment.catalog(['accounts', 'invite', '--account', 'acme']);
    const [link = ''] = /\S+\/en\/account\/sign-in\?link=\w+/.exec(invited) ?? [];
    expect(link).toContain(deployment.url);
    const one = visitor(deployment.url);
    await one.get(link.replace(deployment.url, ''));
    expect((await one.send('/account/sign-in')).text).toContain('Account acme');
    const key = keyIn((await one.send('/account/keys')).text);
    const asked = await fetch(`${deployment.url}/api/v1/top`, { headers: { 'x-api-key': key } });
    expect(asked.status).toBe(200);
  });

  test('lets `serve` write no account, key, session, link, note or identity', async () => {
    if (deployment.isStandIn('MONGODB_IMAGE')) {
      notRun('rights at MongoDB', 'the stand-in has none');
      return;
    }
    const script = `
      import { readFileSync } from 'node:fs';
      import { MongoClient } from 'mongodb';
      const client = new MongoClient(readFileSync('/run/secrets/documents-url', 'utf8').trim());
      const attacks = [${Object.values(ATTACKS).map(String).join(', ')}];
      const refused = [];
      for (const name of ${JSON.stringify([...GUARDED])})
        for (const attack of attacks)
          refused.push(await attack(client.db(), name).then(() => name, ({ code }) => code));
      await client.close();
      console.log(JSON.stringify(refused));`;
    const said = await engine.ok(
      'exec',
      await deployment.one('serve'),
      'node',
      '--input-type=module',
      '--eval',
      script,
    );
    expect(new Set(JSON.parse(said) as unknown[])).toEqual(new Set([13]));
  });

  test('lets nobody into Kafka without a user, and a user no further than it has to go', async () => {
    const publishing = (environment: Readonly<Record<string, string>>) =>
      deployment.composed.compose(
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
    await engine.ok('exec', await deployment.one('serve'), 'node', '--eval', lookup);
  });

  test('runs as many of each as is asked for, all behind the one address', async () => {
    for (const service of OURS) {
      await deployment.scale(service);
      await deployment.healthy(service, COUNTS[service]);
    }
    await deployment.publish('second', 'third');
    for (const slug of ['second', 'third']) await expect.poll(() => deployment.listing(slug)).toBe(200);
  });

  test.each([...OURS, 'meilisearch', 'kafka', 'mongodb'])(
    'goes on when a container of %s is killed, and reads meanwhile',
    async (service) => {
      if (service === 'mongodb' && deployment.isStandIn('MONGODB_IMAGE')) {
        notRun('mongodb killed', 'the stand-in keeps its documents in memory');
        return;
      }
      await deployment.takeKey(`reads-while-${service}-is-killed`);
      await using reader = readAll(() => deployment.listing('first'));
      const container = await deployment.one(service);
      await engine.ok('kill', '--signal', 'KILL', container);
      if (service !== 'kafka') await deployment.publish(`after-${service}`);
      await engine.run('start', container);
      await vi.waitFor(() => expectHealthy(engine, container, service), WAITING);
      // It may have lost its keys with everything else.
      if (service === 'meilisearch') await deployment.again('search-keys');
      if (service === 'kafka') await deployment.publish('after-kafka');
      await expect.poll(() => deployment.listing(`after-${service}`)).toBe(200);
      expectOnly(await reader.outcomes(), [200, 503]);
    },
  );

  test('is there again when the front was killed', async () => {
    const container = await deployment.one('front');
    await engine.ok('kill', '--signal', 'KILL', container);
    await engine.run('start', container);
    await expect.poll(() => deployment.listing('first')).toBe(200);
  });

  test('replaces its image, one container after the other, while it answers', async () => {
    await deployment.takeKey('reads-while-all-is-replaced');
    await using reader = readAll(() => deployment.listing('first'));
    const env = { CATALOG_IMAGE: String(deployment.images[1]) };
    for (const service of OURS) {
      for (const container of await deployment.composed.containersOf(service)) {
        await engine.ok('stop', '--time', '30', container);
        expect(await engine.ok('inspect', '--format', '{{.State.ExitCode}}', container)).toBe('0');
        await engine.ok('rm', '--force', container);
        await deployment.scale(service, env);
        await deployment.healthy(service, COUNTS[service]);
      }
      for (const container of await deployment.composed.containersOf(service)) {
        const image = await engine.ok('inspect', '--format', '{{.Config.Image}}', container);
        expect(image).toBe(deployment.images[1]);
      }
    }
    await deployment.publish('replaced');
    await expect.poll(() => deployment.listing('replaced')).toBe(200);
    expectOnly(await reader.outcomes(), [200, 503]);
  });

  test('has lost nothing in the end', async () => {
    const verified = await deployment.composed.compose([...RUN_CATALOG, 'verify', '--json']);
    expect(verified.code, `${verified.stdout}${verified.stderr}`).toBe(0);
    const { read_models } = JSON.parse(verified.stdout) as {
      readonly read_models: readonly { readonly documents: number }[];
    };
    expect(read_models[0]?.documents).toBeGreaterThan(1);
  });
});

function expectOnly(outcomes: ReadonlyMap<number, number>, allowed: readonly number[]): void {
  process.stdout.write(`   reads meanwhile: ${JSON.stringify(Object.fromEntries(outcomes))}\n`);
  expect(outcomes.get(200) ?? 0).toBeGreaterThan(0);
  for (const status of outcomes.keys()) expect(allowed).toContain(status);
}

/** Where an engine puts files of its own into every container. */
function isOfEngine(folder: string): boolean {
  return /^\/(?:dev|run|tmp|var\/tmp)(?:\/|$)/.test(folder);
}

/** Asks again and again, one request after the other, and counts what came of it. */
interface Reader extends AsyncDisposable {
  /** Ends the reading: how often there was which outcome. */
  outcomes(): Promise<ReadonlyMap<number, number>>;
}

const PAUSE_MS = 300;

/** Begins at once. */
function readAll(ask: () => Promise<number>): Reader {
  const outcomes = new Map<number, number>();
  let isOver = false;
  const done = (async () => {
    while (!isOver) {
      const outcome = await ask();
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  })();
  const end = async (): Promise<ReadonlyMap<number, number>> => {
    isOver = true;
    await done;
    return outcomes;
  };
  return { outcomes: end, [Symbol.asyncDispose]: async () => void (await end()) };
}
