import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';

import { portOf, tellParent } from './told.ts';

/**
 * What most people would write for one listing without a cache: the driver finds the document, and its JSON is parsed, cut to
 * what readers see and made into text again. `find-one.ts FILE TABLE`, on a documents file of the embedded default, whose
 * bodies are copied beside it, in one piece each, into a table of the kind that they would have.
 */
const [, , file = '', table = ''] = process.argv;
const database = new DatabaseSync(`${file}-of-peer`);
database.exec('CREATE TABLE documents (id TEXT PRIMARY KEY, body TEXT NOT NULL)');
database.prepare('ATTACH ? AS ours').run(file);
database.exec(
  `INSERT INTO documents SELECT id, json_set(rest, '$.view', json("k:view")) FROM ours.${table}; DETACH ours`,
);
const find = database.prepare('SELECT body FROM documents WHERE id = ?');

const server = createServer((request, response) => {
  const slug = request.url?.split('/').at(-1) ?? '';
  const found = find.get(slug) as { readonly body: string } | undefined;
  if (!found) {
    response.writeHead(404);
    response.end();
    return;
  }
  const { view } = JSON.parse(found.body) as { readonly view: object };
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(view));
});
server.listen(0, '127.0.0.1', () => tellParent({ port: portOf(server), keys: [] }));
