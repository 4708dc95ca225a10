import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { describe, expect, test } from 'vitest';

import { COMPOSE, root } from '../../support/compose.ts';
import { temporaryFolder } from '../../support/folder.ts';

const run = promisify(execFile);

/** A copy of deploy/ with an empty folder around it. */
function project(): { readonly script: string; readonly secrets: string } {
  const folder = temporaryFolder();
  cpSync(join(root, 'deploy'), join(folder, 'deploy'), { recursive: true });
  return { script: join(folder, 'deploy/secrets'), secrets: join(folder, 'secrets') };
}

function read(folder: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8').trim()]),
  );
}

describe.skipIf(process.platform === 'win32')('deploy/secrets', () => {
  test('writes every secret that docker-compose.yml hands out, each its own, where nobody else comes in', async () => {
    const { script, secrets: folder } = project();
    await run(script);
    const secrets = read(folder);
    expect(Object.keys(secrets)).toEqual(expect.arrayContaining(Object.keys(COMPOSE.secrets)));
    const random = Object.entries(secrets).filter(([name]) => !/url$|toml$/.test(name));
    for (const [name, secret] of random) expect(secret, name).toMatch(/^[0-9a-f]{64}$/);
    expect(new Set(Object.values(secrets)).size).toBe(Object.keys(secrets).length);
    expect(secrets).toMatchObject({
      'serve-documents-url': `mongodb://serve:${secrets['mongodb-serve-password']}@mongodb:27017/catalog`,
      'meilisearch.toml': `master_key = "${secrets['meilisearch-master-key']}"`,
    });
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    // Read in containers by whatever user an image has, written by nobody.
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o444);
  });

  test('computes the keys that Meilisearch will give to the uids of deploy/search-keys.ts', async () => {
    const { script, secrets: folder } = project();
    await run(script);
    const { 'meilisearch-master-key': master = '', ...secrets } = read(folder);
    const source = readFileSync(join(root, 'deploy/search-keys.ts'), 'utf8');
    const keys = [...source.matchAll(/uid: '([^']+)',\s+name: 'catalog (\w+)'/g)].map(([, uid, name]) => [
      `meilisearch-${name}-key`,
      createHmac('sha256', master).update(String(uid)).digest('hex'),
    ]);
    expect(keys).toHaveLength(2);
    expect(secrets).toMatchObject(Object.fromEntries(keys));
  });

  test('never replaces what is there, and adds what is lacking', async () => {
    const { script, secrets: folder } = project();
    await run(script);
    const before = read(folder);
    expect((await run(script)).stdout).toContain('is left as it is');
    expect(read(folder)).toEqual(before);
    for (const name of ['mongodb-accounts-password', 'accounts-documents-url', 'serve-documents-url'])
      rmSync(join(folder, name));
    expect((await run(script)).stdout).toContain(
      ': mongodb-accounts-password accounts-documents-url serve-documents-url.',
    );
    const { 'mongodb-accounts-password': password, 'accounts-documents-url': url, ...rest } = read(folder);
    expect(before).toMatchObject(rest);
    expect(password).not.toBe(before['mongodb-accounts-password']);
    expect(url).toBe(`mongodb://accounts:${password}@mongodb:27017/catalog`);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(folder, '..')).toSorted()).toEqual(['deploy', 'secrets']);
  });
});
