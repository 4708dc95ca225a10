import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';

import express from 'express';

import { serveMeasured } from './measured.ts';

/**
 * What most people would write for one listing without a cache, a key, a quota or a log: Express as it comes, the driver finds
 * the document, and its JSON is parsed, cut to what readers see and made into text again. `find-one.ts FILE TABLE`, on a documents file of the embedded default, whose
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

const app = express();
app.get('/api/v1/listings/:slug', (request, response) => {
  const found = find.get(request.params.slug) as { readonly body: string } | undefined;
  if (!found) return void response.sendStatus(404);
  const { view } = JSON.parse(found.body) as { readonly view: object };
  response.json(view);
});
const server = app.listen(0, '127.0.0.1', () =>
  serveMeasured({ port: (server.address() as AddressInfo).port, keys: [] }),
);
