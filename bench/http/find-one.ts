import { createServer } from 'node:http';

import express, { type Response } from 'express';

import { readConfig } from '../../src/config.ts';
import { openAfternoonStore } from '../contract/afternoon-store.ts';
import { listenMeasured } from './measured.ts';

/**
 * What most people would write for one listing without a cache, a key, a quota or a log: Express as it comes, the driver finds
 * the document, and what readers see of it is made into text again. On the documents that the environment names.
 */
const store = await openAfternoonStore(readConfig(process.env));
await store.takeIn([]);

async function answer(slug: string, response: Response): Promise<void> {
  const view = await store.view(slug);
  if (view) response.json(view);
  else response.sendStatus(404);
}

const app = express();
// What it fails at, Express answers with 500: whoever measures refuses that, and says so.
app.get('/api/v1/listings/:slug', (request, response) => answer(request.params.slug, response));
listenMeasured(createServer(app));
