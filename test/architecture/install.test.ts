import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { root } from '../support/compose.ts';
import { temporaryFolder } from '../support/folder.ts';

const run = promisify(execFile);

/** A registry with one package, whose file the test chooses at each installation. */
let served: Buffer = Buffer.alloc(0);
let registry: string;
const server = createServer((request, response) => {
  if (request.url?.endsWith('.tgz')) return response.end(served);
  const dist = { tarball: `${registry}/one/-/one-1.0.0.tgz`, integrity: digestOf(served) };
  return response.end(
    JSON.stringify({
      name: 'one',
      'dist-tags': { latest: '1.0.0' },
      versions: { '1.0.0': { name: 'one', version: '1.0.0', dist } },
    }),
  );
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

describe('npm ci with the settings of this project', () => {
  test('installs the package whose digest is locked', async () => {
    const right = await packed('right');
    served = right;
    const folder = await install(digestOf(right));
    expect(readFileSync(join(folder, 'node_modules/one/index.js'), 'utf8')).toBe('right');
  });

  test('refuses one of the same version that was changed at the registry, and installs nothing', async () => {
    const right = await packed('right');
    served = await packed('changed');
    const folder = temporaryFolder();
    await expect(install(digestOf(right), folder)).rejects.toMatchObject({
      stderr: expect.stringContaining('EINTEGRITY') as string,
    });
    expect(existsSync(join(folder, 'node_modules/one'))).toBe(false);
  });
});

function digestOf(file: Buffer): string {
  return `sha512-${createHash('sha512').update(file).digest('base64')}`;
}

/** What `npm pack` makes of a package with one file. */
async function packed(text: string): Promise<Buffer> {
  const folder = temporaryFolder();
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'one', version: '1.0.0', files: ['index.js'] }),
  );
  writeFileSync(join(folder, 'index.js'), text);
  await npm(folder, 'pack');
  return readFileSync(join(folder, 'one-1.0.0.tgz'));
}

/** Installs by a lock file of the form of ours, into a folder without a cache. */
async function install(integrity: string, folder = temporaryFolder()): Promise<string> {
  cpSync(join(root, '.npmrc'), join(folder, '.npmrc'));
  const project = { name: 'project', version: '1.0.0', dependencies: { one: '1.0.0' } };
  const packages = { '': project, 'node_modules/one': { version: '1.0.0', integrity } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(project));
  writeFileSync(
    join(folder, 'package-lock.json'),
    JSON.stringify({ name: 'project', version: '1.0.0', lockfileVersion: 3, requires: true, packages }),
  );
  await npm(folder, 'ci');
  return folder;
}

async function npm(folder: string, command: string): Promise<void> {
  // What the machine's npm is told by variables is not for this registry.
  const environment = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  mkdirSync(join(folder, 'home'));
  await run('npm', [command, `--registry=${registry}`, `--cache=${join(folder, 'home')}`], {
    cwd: folder,
    env: { ...Object.fromEntries(environment), HOME: join(folder, 'home') },
    shell: process.platform === 'win32',
  });
}
