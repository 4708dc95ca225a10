import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, request } from 'node:http';

import { startStandIn } from '../support/services/meilisearch-stand-in/start.ts';

/**
 * The stand-in for Meilisearch as a container of docker-compose.yml: on the port of the image, with the master key of the
 * same file, and with keys that are good once they have been made.
 */

const { MEILI_CONFIG_FILE_PATH: settings = '' } = process.env;
const master = /^master_key = "(.+)"$/m.exec(readFileSync(settings, 'utf8'))?.[1] ?? '';

interface Key {
  readonly uid: string;
  readonly actions: readonly string[];
}

const made = new Map<string, Key>();
/** Read by the stand-in at each request. */
const rights: Record<string, 'everything' | 'search'> = { [master]: 'everything' };
const standIn = await startStandIn({ keys: rights });

const server = createServer((incoming, response) => {
  if (!incoming.url?.startsWith('/keys')) {
    const { method, url, headers } = incoming;
    const passed = request(new URL(url ?? '/', standIn.url), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    incoming.pipe(passed);
    return;
  }
  void incoming.toArray().then((chunks) => {
    const uid = incoming.url?.split('/')[2] ?? '';
    const answer = (status: number, body?: unknown): void =>
      void response.writeHead(status).end(body === undefined ? undefined : JSON.stringify(body));
    if (incoming.headers.authorization !== `Bearer ${master}`)
      return answer(403, { code: 'invalid_api_key' });
    if (incoming.method === 'GET') return made.has(uid) ? answer(200, made.get(uid)) : answer(404, {});
    if (incoming.method === 'DELETE') return answer(made.delete(uid) ? 204 : 404);
    const key = JSON.parse(Buffer.concat(chunks as Buffer[]).toString()) as Key;
    made.set(key.uid, key);
    const value = createHmac('sha256', master).update(key.uid).digest('hex');
    rights[value] = key.actions.length === 1 ? 'search' : 'everything';
    return answer(201, key);
  });
});
server.listen(7700, '0.0.0.0');
process.on('SIGTERM', () => process.exit(0));
