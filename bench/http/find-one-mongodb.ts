import type { AddressInfo } from 'node:net';

import express, { type Response } from 'express';
import { MongoClient } from 'mongodb';

import { serveMeasured } from './measured.ts';

/**
 * The same on MongoDB: the driver finds what readers see of the document, as values, and Express makes them into text.
 * `find-one-mongodb.ts URL COLLECTION`, with the database in the URL.
 */
const [, , url = '', name = ''] = process.argv;
const client = await new MongoClient(url).connect();
const collection = client.db().collection<{ readonly _id: string; readonly view?: object }>(name);

async function answer(slug: string, response: Response): Promise<void> {
  const found = await collection.findOne({ _id: slug }, { projection: { _id: 0, view: 1 } });
  if (found?.view) response.json(found.view);
  else response.sendStatus(404);
}

const app = express();
// What it fails at, Express answers with 500: whoever measures refuses that, and says so.
app.get('/api/v1/listings/:slug', (request, response) => answer(request.params.slug, response));
const server = app.listen(0, '127.0.0.1', () =>
  serveMeasured({ port: (server.address() as AddressInfo).port, keys: [] }),
);
