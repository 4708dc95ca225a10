import { createServer } from 'node:http';

import { MongoClient } from 'mongodb';

import { portOf, tellParent } from './told.ts';

/**
 * The same on MongoDB: the driver finds what readers see of the document, as values, and they are made into text.
 * `find-one-mongodb.ts URL COLLECTION`, with the database in the URL.
 */
const [, , url = '', name = ''] = process.argv;
const client = await new MongoClient(url).connect();
const collection = client.db().collection<{ readonly _id: string; readonly view?: object }>(name);

async function answer(slug: string): Promise<{ readonly status: number; readonly body: string }> {
  try {
    const found = await collection.findOne({ _id: slug }, { projection: { _id: 0, view: 1 } });
    return found?.view ? { status: 200, body: JSON.stringify(found.view) } : { status: 404, body: '' };
  } catch (thrown) {
    // Whoever measures refuses it, and says so.
    return { status: 500, body: String(thrown) };
  }
}

const server = createServer((request, response) => {
  const slug = request.url?.split('/').at(-1) ?? '';
  void answer(slug).then(({ status, body }) => {
    response.writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    });
    response.end(body);
  });
});
server.listen(0, '127.0.0.1', () => tellParent({ port: portOf(server), keys: [] }));
