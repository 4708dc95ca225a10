import { createServer } from 'node:http';

import { MongoClient } from 'mongodb';

import { portOf, tellParent } from './told.ts';

/** The same on MongoDB: `find-one-mongodb.ts URL COLLECTION`, with the database in the URL. */
const [, , url = '', name = ''] = process.argv;
const client = await new MongoClient(url).connect();
const collection = client.db().collection<{ readonly _id: string }>(name);

const server = createServer((request, response) => {
  const slug = request.url?.split('/').at(-1) ?? '';
  void collection.findOne({ _id: slug }).then((found) => {
    const body = JSON.stringify(found);
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    });
    response.end(body);
  });
});
server.listen(0, '127.0.0.1', () => tellParent({ port: portOf(server), keys: [] }));
