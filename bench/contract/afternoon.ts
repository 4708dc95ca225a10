import { hash } from 'node:crypto';
import { createServer } from 'node:http';

import express, { type NextFunction, type Request, type Response } from 'express';

import { compose } from '../../src/compose/parts.ts';
import { catalogReaderOf } from '../../src/cli/commands/search.ts';
import { readConfig } from '../../src/config.ts';
import { LISTINGS } from '../../test/support/collections.ts';
import { listenMeasured } from '../http/measured.ts';
import { openAfternoonStore } from './afternoon-store.ts';

/**
 * What a good team would write in an afternoon: Express as it comes, one look-up of the key's digest by an index, one atomic
 * increment a request, one read of the document, `res.json`. Searches go to the same engine, and find the documents of its
 * hits in one read. What is the same for everybody (top, categories, status) is made once and kept. `afternoon.ts ANSWERS`: those, as JSON by path.
 */
const DAY_LIMIT = 1000;
const kept = new Map(Object.entries(JSON.parse(process.argv[2] ?? '{}') as Record<string, object>));
const parts = await compose(readConfig(process.env), 'bench');
const reading = catalogReaderOf(parts, null);
const taxonomy = await reading.taxonomy();
const store = await openAfternoonStore(parts.config);

const app = express();
// What it fails at, Express answers with 500: whoever measures refuses that, and says so.
app.use('/api/v1', (request, response, next) => count(request, response, next));
app.get('/api/v1/listings/:slug', (request, response) => listing(request.params.slug, response));
app.get('/api/v1/search', (request, response) => search(new URL(request.url, 'http://here'), response));
for (const [path, answer] of kept) {
  app.get(`/api/v1${path}`, (_, response) => {
    response.json(answer);
  });
}

async function count(request: Request, response: Response, next: NextFunction): Promise<void> {
  const digest = hash('sha256', request.get('x-api-key') ?? '');
  const key = await store.keyOf(digest);
  const day = new Date().toISOString().slice(0, 10);
  if (key === null) response.status(401).json({ error: 'unknown key' });
  else if ((await store.increment(key, day)) > DAY_LIMIT)
    response.status(429).json({ error: 'too many requests' });
  else next();
}

async function listing(slug: string, response: Response): Promise<void> {
  const view = await store.view(slug);
  if (view) response.json(view);
  else response.status(404).json({ error: 'not found' });
}

async function search({ searchParams }: URL, response: Response): Promise<void> {
  const q = searchParams.get('q') ?? '';
  const asked = { q, understood: reading.understood(q, taxonomy), filter: {}, exclude: [] };
  const { ids, total } = await parts.search.query(LISTINGS, { ...asked, offset: 0, limit: 20 });
  response.json({ total, items: await store.views(ids) });
}

listenMeasured(createServer(app));
