import { execFile, spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { describe, expect, test } from 'vitest';

import { createAdmin } from '../../src/admin/probes-and-metrics.ts';
import { readConfig } from '../../src/config.ts';
import { VARIABLES } from '../../src/config/variables.ts';
import { listenOn } from '../../src/platform/http-server.ts';
import { COMPOSE, COMPOSE_TEXT, environmentOf, root, secretsOf } from '../support/compose.ts';
import { temporaryFolder } from '../support/folder.ts';
import type { Service } from '../support/services/service.ts';

const services = Object.entries(COMPOSE.services);
const ours = services.filter(([, { build }]) => build !== undefined);
const running = services.filter(([, { restart }]) => restart === 'unless-stopped');
/** Whether this machine has the command; it needs no engine. */
const hasCompose = spawnSync('docker', ['compose', 'version']).status === 0;

describe('docker-compose.yml', () => {
  test('runs the services in the images that the tests run', async () => {
    const tested: Record<string, string> = {};
    for (const file of globSync('test/support/services/*.ts', { cwd: root })) {
      const exported = (await import(join(root, file))) as Readonly<Record<string, unknown>>;
      for (const one of Object.values(exported)) if (isService(one)) tested[one.name] = one.image;
    }
    expect(Object.keys(tested)).toEqual(expect.arrayContaining(['kafka', 'mongodb']));
    for (const [name, image] of Object.entries(tested)) expect(imageOf(COMPOSE.services[name])).toBe(image);
  });

  test('pins every image to one release, and lets its digest be given', () => {
    for (const [name, service] of services) {
      expect(service.image, name).toMatch(/^\$\{[A-Z]+_IMAGE:-[^}]+\}$/);
      const release = service.build === undefined ? imageOf(service) : 'ours:1.0.0';
      expect(release, name).toMatch(/:v?\d+\.\d+\.\d+(?:-alpine)?$/);
    }
  });

  test('publishes ports on loopback alone, and none of a service that is scaled', () => {
    const published = services.filter(([, { ports }]) => ports !== undefined);
    expect(published.map(([name]) => name).sort()).toEqual(['front', 'kafka']);
    for (const [, { ports = [] }] of published)
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
    for (const [name, service] of services) expect(service, name).not.toHaveProperty('container_name');
  });

  test('gives nobody more of the machine than it needs', () => {
    for (const [name, service] of services) {
      for (const much of ['privileged', 'pid', 'ipc', 'devices', 'cap_add'])
        expect(service, name).not.toHaveProperty(much);
      expect(service['network_mode'] ?? 'service:kafka', name).toBe('service:kafka');
      expect(service['user'] ?? '1:1', name).toMatch(/^[1-9]\d*:[1-9]\d*$/);
      expect(service, name).toMatchObject({ cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
      // Kafka's image writes its settings into itself.
      expect(service['read_only'] ?? false, name).toBe(name !== 'kafka');
      expect(service.deploy?.resources?.limits, name).toMatchObject({
        cpus: expect.any(String) as string,
        memory: expect.stringMatching(/^\d+[MG]$/) as string,
      });
    }
    for (const [name, service] of ours) {
      expect(service, name).toMatchObject({ init: true, user: '1000:1000' });
    }
    expect(COMPOSE_TEXT).not.toContain('docker.sock');
  });

  test('keeps the log from those who serve, and the stores from the world', () => {
    for (const service of ['serve', 'accounts']) {
      expect(COMPOSE.services[service]?.networks).toEqual(['stores', 'public']);
      expect(COMPOSE.services[service]?.environment).not.toHaveProperty('CATALOG_LOG_URL');
    }
    expect(COMPOSE.networks['stores']).toEqual({ internal: true });
    for (const store of ['mongodb', 'meilisearch'])
      expect(COMPOSE.services[store]?.networks).toEqual(['stores']);
  });

  test('has a health check and a restart for whatever runs on', () => {
    for (const [name, { healthcheck, restart }] of running) {
      const check = healthcheck?.test;
      for (const word of [check].flat()) expect(typeof word, name).toBe('string');
      expect(restart, name).toBe('unless-stopped');
    }
  });

  test.each(['project', 'serve', 'catalog'])('gives %s an environment that it accepts', (name) => {
    const { [name]: service = {} } = COMPOSE.services;
    const environment = withSecretsOf(service);
    expect(Object.keys(VARIABLES)).toEqual(expect.arrayContaining(Object.keys(environment)));
    const { documentsUrl, searchUrl, adminPort, port } = readConfig(environment);
    expect([documentsUrl.scheme, searchUrl.scheme, adminPort, port]).toEqual([
      'mongodb',
      'meilisearch',
      8081,
      8080,
    ]);
  });

  test('serves accounts in a process of their own, to which the pages of `serve` and the links of commands lead', () => {
    const of = (name: string) => readConfig(withSecretsOf(COMPOSE.services[name] ?? {}));
    expect(COMPOSE.services['accounts']?.command).toEqual(['accounts', 'serve']);
    expect(of('serve').accounts).toBe('on');
    const addresses = ['serve', 'accounts', 'catalog'].map((name) => of(name).publicUrl);
    expect(addresses).toEqual(Array.from({ length: 3 }, () => 'http://localhost:8080'));
    expect(of('accounts')).toMatchObject({ port: 8080, adminPort: 8081, oidc: null });
    expect(of('accounts').documentsUrl.scheme).toBe('mongodb');
    const provider = { CATALOG_OIDC_ISSUER: 'https://id.example', CATALOG_OIDC_CLIENT_ID: 'catalog' };
    const given = readConfig({ ...withSecretsOf(COMPOSE.services['accounts'] ?? {}), ...provider });
    expect(given.oidc).toMatchObject({ clientSecret: 'a'.repeat(64), allow: [] });
    // The one who is trusted to say whose requests they are is the one who may: the front.
    expect(of('accounts').trustedProxies).toEqual(['uniquelocal']);
    expect(of('serve').trustedProxies).toEqual([]);
  });

  test.runIf(hasCompose)('is accepted by docker compose', async () => {
    const asked = promisify(execFile)('docker', ['compose', '--env-file', '/dev/null', 'config', '--quiet'], {
      cwd: root,
      env: { PATH: process.env['PATH'] },
    });
    await expect(asked).resolves.toMatchObject({ stderr: '' });
  });

  test('hands every secret out as a file that deploy/secrets writes, and to those alone who need it', () => {
    const names = Object.keys(COMPOSE.secrets);
    for (const [name, { file }] of Object.entries(COMPOSE.secrets)) expect(file).toBe(`secrets/${name}`);
    const used = services.flatMap(([, service]) => Object.values(secretsOf(service)));
    expect([...new Set(used)].toSorted()).toEqual(names.toSorted());
    for (const [name, service] of services) {
      const given = Object.entries(service.environment ?? {}).filter(([variable]) =>
        /PASSWORD|KEY|PEPPER|DOCUMENTS_URL/.test(variable),
      );
      for (const [variable, value] of given) {
        expect(variable, name).toMatch(/_FILE$/);
        expect(Object.keys(secretsOf(service)), name).toContain(String(value).replace('/run/secrets/', ''));
      }
    }
    const secretNames = (name: string) => Object.values(secretsOf(COMPOSE.services[name] ?? {})).toSorted();
    expect(secretNames('serve')).toEqual(['key-pepper', 'meilisearch-serve-key', 'serve-documents-url']);
    expect(secretNames('accounts')).toEqual(['accounts-documents-url', 'key-pepper', 'oidc-client-secret']);
    expect(COMPOSE_TEXT).not.toMatch(/\$\{\w+:\?/);
  });

  test('lets nobody into Kafka from outside its container without a user', () => {
    const settings = readFileSync(join(root, 'deploy/kafka.properties'), 'utf8');
    const value = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(settings)?.[1] ?? '';
    const protocols = new Map(
      value('listener.security.protocol.map')
        .split(',')
        .map((pair) => pair.split(':') as [string, string]),
    );
    const open = value('listeners')
      .split(',')
      .filter((listener) => protocols.get(String(listener.split(':')[0])) === 'PLAINTEXT');
    expect(open.length).toBeGreaterThan(0);
    for (const listener of open) expect(listener).toMatch(/^\w+:\/\/localhost:\d+$/);
    expect(value('authorizer.class.name')).toMatch(/StandardAuthorizer$/);
    expect(value('allow.everyone.if.no.acl.found')).toBe('false');
  });

  test('gives the users of Kafka the rights that docs/guides/deploy.md lists', () => {
    const rights = (text: string): readonly string[] =>
      [...text.matchAll(/(?:^allow |--allow-principal User:)(\w+) (.+)$/gm)].map(
        ([, user, rest]) => `${user} ${rest?.replaceAll(/"\$\{p\}([^"]+)"/g, '$1')}`,
      );
    const made = rights(readFileSync(join(root, 'deploy/kafka-users'), 'utf8'));
    expect(made.length).toBeGreaterThan(5);
    expect(rights(readFileSync(join(root, 'docs/guides/deploy.md'), 'utf8'))).toEqual(made);
  });

  test('asks for health where it is told: ready, not ready, and nobody there', async () => {
    const asked = COMPOSE.services['serve']?.healthcheck?.test;
    const [kind, command, ...args] = Array.isArray(asked) ? asked.map(String) : [];
    expect([kind, command]).toEqual(['CMD', 'node']);
    for (const name of ['project', 'accounts'])
      expect(COMPOSE.services[name]?.healthcheck?.test).toEqual(asked);
    let ok = true;
    const app = createAdmin({ checks: { one: () => ({ ok, detail: '' }) }, metrics: async () => '' });
    const admin = await listenOn(createServer(app), { port: 0, host: '127.0.0.1', variable: 'ADMIN_PORT' });
    const ask = (): Promise<boolean> =>
      promisify(execFile)(
        process.execPath,
        args.map((arg) => arg.replace(':8081/', `:${admin.port}/`)),
      ).then(
        () => true,
        () => false,
      );
    expect(await ask()).toBe(true);
    ok = false;
    expect(await ask()).toBe(false);
    ok = true;
    await admin[Symbol.asyncDispose]();
    expect(await ask()).toBe(false);
  });
});

function isService(value: unknown): value is Service {
  return typeof value === 'object' && value !== null && 'image' in value && 'urlVariable' in value;
}

/** The image that a service runs where no other one is given. */
function imageOf(service: { readonly image?: string } | undefined): string | undefined {
  return /:-([^}]+)\}$/.exec(service?.image ?? '')?.[1];
}

/** A service's environment, with secrets of the form that deploy/secrets gives them, in files that are there. */
function withSecretsOf(service: Parameters<typeof secretsOf>[0]): Readonly<Record<string, string>> {
  const folder = temporaryFolder();
  for (const [target, source] of Object.entries(secretsOf(service))) {
    const url = `mongodb://project:${'a'.repeat(64)}@mongodb:27017/catalog`;
    writeFileSync(join(folder, target), source.endsWith('-url') ? url : 'a'.repeat(64));
  }
  const environment = Object.entries(environmentOf(service));
  return Object.fromEntries(
    environment.map(([name, value]) => [name, value.replace('/run/secrets', folder)]),
  );
}
