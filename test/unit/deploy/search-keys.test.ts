import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

import { listenOn } from '../../../src/platform/http-server.ts';
import { root } from '../../support/compose.ts';
import { temporaryFolder } from '../../support/folder.ts';

interface Key {
  readonly uid: string;
  readonly name: string;
  readonly actions: readonly string[];
  readonly indexes: readonly string[];
  readonly expiresAt: null;
}

function fileWith(text: string): string {
  const file = join(temporaryFolder(), 'master-key');
  writeFileSync(file, `${text}\n`);
  return file;
}

/** The part of Meilisearch that keeps keys. */
async function startKeeper() {
  const keys = new Map<string, Key>();
  const server = createServer((request, response) => {
    void answer(request).then(([status, body]) => response.writeHead(status).end(JSON.stringify(body)));
  });
  const answer = async (request: IncomingMessage): Promise<readonly [number, unknown?]> => {
    const uid = request.url?.replace(/^\/keys\/?/, '') ?? '';
    if (request.headers.authorization !== 'Bearer of-the-master') return [403, { code: 'invalid_api_key' }];
    if (request.method === 'GET') return keys.has(uid) ? [200, keys.get(uid)] : [404, {}];
    if (request.method === 'DELETE') return [keys.delete(uid) ? 204 : 404];
    const key = JSON.parse(Buffer.concat(await request.toArray()).toString()) as Key;
    if (keys.has(key.uid)) return [409, { code: 'api_key_already_exists' }];
    keys.set(key.uid, key);
    return [201, key];
  };
  const listening = await listenOn(server, { port: 0, host: '127.0.0.1', variable: 'PORT' });
  const run = (master = 'of-the-master') =>
    promisify(execFile)(process.execPath, [join(root, 'deploy/search-keys.ts')], {
      env: { MEILISEARCH_URL: listening.url, MEILISEARCH_MASTER_KEY_FILE: fileWith(master) },
    });
  return { keys, run, [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose]() };
}

test('deploy/search-keys.ts makes a key for each process, for our indexes alone; run again, it changes nothing', async () => {
  await using keeper = await startKeeper();
  await keeper.run();
  const made = [...keeper.keys.values()];
  expect(made.map(({ name }) => name)).toEqual(['catalog project', 'catalog serve']);
  for (const key of made) expect(key).toMatchObject({ indexes: ['catalog-*'], expiresAt: null });
  expect(made.at(-1)?.actions).toEqual(['search']);
  expect((await keeper.run()).stdout).toBe('');
  expect([...keeper.keys.values()]).toEqual(made);
});

test('deploy/search-keys.ts gives a key that has other rights those that it should have', async () => {
  await using keeper = await startKeeper();
  await keeper.run();
  const [, serve] = [...keeper.keys.values()];
  if (!serve) throw new Error('there is no second key');
  keeper.keys.set(serve.uid, { ...serve, actions: ['*'] });
  await keeper.run();
  expect(keeper.keys.get(serve.uid)).toEqual(serve);
});

test('deploy/search-keys.ts fails where the master key is wrong', async () => {
  await using keeper = await startKeeper();
  await expect(keeper.run('wrong')).rejects.toMatchObject({ code: 1 });
  expect(keeper.keys.size).toBe(0);
});
