import express from 'express';

import { portOf, tellParent } from './told.ts';

/** What most people would write: Express as it comes, no key, no quota, no log. */
const object: unknown = JSON.parse(process.argv[2] ?? '');

const app = express();
app.get('/api/v1/listings/:slug', (_request, response) => {
  response.json(object);
});
const server = app.listen(0, '127.0.0.1', () => tellParent({ port: portOf(server), keys: [] }));
