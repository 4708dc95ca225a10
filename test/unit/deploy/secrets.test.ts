import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { cpSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { describe, expect, test } from 'vitest';

import { REQUIRED, root } from '../../support/compose.ts';
import { temporaryFolder } from '../../support/folder.ts';

const run = promisify(execFile);

/** A copy of deploy/ with an empty folder around it. */
function project(): { readonly script: string; readonly env: string } {
  const folder = temporaryFolder();
  cpSync(join(root, 'deploy'), join(folder, 'deploy'), { recursive: true });
  return { script: join(folder, 'deploy/secrets'), env: join(folder, '.env') };
}

function read(file: string): Readonly<Record<string, string>> {
  const lines = readFileSync(file, 'utf8').matchAll(/^(\w+)=(.*)$/gm);
  return Object.fromEntries([...lines].map(([, name, value]) => [String(name), String(value)]));
}

describe.skipIf(process.platform === 'win32')('deploy/secrets', () => {
  test('writes every secret that docker-compose.yml asks for, each its own, for its user alone', async () => {
    const { script, env } = project();
    await run(script);
    const secrets = read(env);
    expect(Object.keys(secrets).sort()).toEqual(REQUIRED);
    for (const secret of Object.values(secrets)) expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect(new Set(Object.values(secrets)).size).toBe(REQUIRED.length);
    expect(statSync(env).mode & 0o777).toBe(0o600);
  });

  test('computes the keys that Meilisearch will give to the uids of deploy/search-keys.ts', async () => {
    const { script, env } = project();
    await run(script);
    const { MEILISEARCH_MASTER_KEY: master = '', ...secrets } = read(env);
    const source = readFileSync(join(root, 'deploy/search-keys.ts'), 'utf8');
    const keys = [...source.matchAll(/uid: '([^']+)',\s+name: 'catalog (\w+)'/g)].map(([, uid, name]) => [
      `MEILISEARCH_${String(name).toUpperCase()}_KEY`,
      createHmac('sha256', master).update(String(uid)).digest('hex'),
    ]);
    expect(keys).toHaveLength(2);
    expect(secrets).toMatchObject(Object.fromEntries(keys));
  });

  test('never replaces what is there', async () => {
    const { script, env } = project();
    await run(script);
    const before = readFileSync(env, 'utf8');
    await expect(run(script)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('.env is there'),
    });
    expect(readFileSync(env, 'utf8')).toBe(before);
  });
});
