import { execFile, spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { describe, expect, test } from 'vitest';

import { createAdmin } from '../../src/admin/app.ts';
import { readConfig, VARIABLES } from '../../src/config.ts';
import { listenOn } from '../../src/platform/listening.ts';
import { COMPOSE, COMPOSE_TEXT, environmentOf, REQUIRED, root } from '../support/compose.ts';
import type { Service } from '../support/services/service.ts';

const services = Object.entries(COMPOSE.services);
const ours = services.filter(([, { build }]) => build !== undefined);
const running = services.filter(([, { profiles, entrypoint }]) => !profiles && !entrypoint);
/** Whether this machine has the command; it needs no engine. */
const hasCompose = spawnSync('docker', ['compose', 'version']).status === 0;
const given = Object.fromEntries(REQUIRED.map((name) => [name, 'a-secret-of-this-test']));

describe('docker-compose.yml', () => {
  test('has the processes and their services', () => {
    expect(ours.map(([name]) => name).sort()).toEqual(['catalog', 'project', 'search-keys', 'serve']);
    expect(running.map(([name]) => name).sort()).toEqual([
      'front',
      'kafka',
      'meilisearch',
      'mongodb',
      'project',
      'serve',
    ]);
  });

  test('runs the services in the images that the tests run', async () => {
    const tested: Record<string, string> = {};
    for (const file of globSync('test/support/services/*.ts', { cwd: root })) {
      const exported = (await import(join(root, file))) as Readonly<Record<string, unknown>>;
      for (const one of Object.values(exported)) if (isService(one)) tested[one.name] = one.image;
    }
    expect(Object.keys(tested)).toEqual(expect.arrayContaining(['kafka', 'mongodb']));
    for (const [name, image] of Object.entries(tested)) expect(COMPOSE.services[name]?.image).toBe(image);
  });

  test('pins every image to a version', () => {
    for (const [name, { image, build }] of services)
      expect(build === undefined ? image : 'ours:1', name).toMatch(/:v?\d[\w.-]*$/);
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
      for (const much of ['privileged', 'network_mode', 'pid', 'ipc', 'devices', 'cap_add', 'user'])
        expect(service, name).not.toHaveProperty(much);
      expect(service.deploy?.resources?.limits, name).toMatchObject({
        cpus: expect.any(String) as string,
        memory: expect.stringMatching(/^\d+[MG]$/) as string,
      });
    }
    for (const [name, service] of ours) {
      expect(service, name).toMatchObject({
        init: true,
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
    }
    expect(COMPOSE_TEXT).not.toContain('docker.sock');
  });

  test('keeps the log from those who serve, and the stores from the world', () => {
    expect(COMPOSE.services['serve']?.networks).toEqual(['stores', 'public']);
    expect(COMPOSE.services['serve']?.environment).not.toHaveProperty('CATALOG_LOG_URL');
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
    const environment = environmentOf(service, given);
    expect(Object.keys(VARIABLES)).toEqual(expect.arrayContaining(Object.keys(environment)));
    const { documentsUrl, searchUrl, adminPort, port } = readConfig(environment);
    expect([documentsUrl.scheme, searchUrl.scheme, adminPort, port]).toEqual([
      'mongodb',
      'meilisearch',
      8081,
      8080,
    ]);
  });

  test.runIf(hasCompose)('is accepted by docker compose', async () => {
    const asked = promisify(execFile)('docker', ['compose', '--env-file', '/dev/null', 'config', '--quiet'], {
      cwd: root,
      env: { PATH: process.env['PATH'], ...given },
    });
    await expect(asked).resolves.toMatchObject({ stderr: '' });
  });

  test('mounts files that are there', () => {
    for (const { file } of Object.values(COMPOSE.configs))
      expect(existsSync(join(root, file)), file).toBe(true);
  });

  test('asks for health where it is told: ready, not ready, and nobody there', async () => {
    const asked = COMPOSE.services['serve']?.healthcheck?.test;
    const [kind, command, ...args] = Array.isArray(asked) ? asked.map(String) : [];
    expect([kind, command]).toEqual(['CMD', 'node']);
    expect(COMPOSE.services['project']?.healthcheck?.test).toEqual(asked);
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
