import { createServer } from 'node:http';

import { LISTINGS } from '../../test/support/collections.ts';
import { compose } from '../../src/compose/parts.ts';
import { catalogReaderOf } from '../../src/cli/commands/search.ts';
import { readConfig } from '../../src/config.ts';
import { listenMeasured } from './measured.ts';

/**
 * Raw `node:http` with the search engine alone, which is asked the very same: what a query means by the categories that there are.
 * No key, no quota, no documents, no log.
 */
const parts = await compose(readConfig(process.env), 'bench');
const reading = catalogReaderOf(parts, null);
const taxonomy = await reading.taxonomy();

const server = createServer((request, response) => {
  const q = new URL(request.url ?? '', 'http://localhost').searchParams.get('q') ?? '';
  const understood = reading.understood(q, taxonomy);
  const query = { q, understood, filter: {}, exclude: [], offset: 0, limit: 20 };
  void parts.search.query(LISTINGS, query).then((hits) => {
    const body = JSON.stringify(hits);
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    });
    response.end(body);
  });
});
listenMeasured(server);
