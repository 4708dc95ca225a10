import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { RetryableError } from '../../../../src/platform/errors.ts';
import { openMeilisearch } from '../../../../src/stores/search/meilisearch/search.ts';

/** How often a server says farewell to connections, and what it was asked. */
let farewells: number;
let asked: number;
let server: Server;
beforeEach(async () => {
  asked = 0;
  server = createServer((_, response) => {
    asked += 1;
    if (farewells > 0) {
      farewells -= 1;
      response.writeHead(408, { connection: 'close', 'content-length': '0' }).end();
    } else {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"results":[]}');
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => server.close());

function url(): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a request that crosses the farewell to an idle connection is made once more', async () => {
  farewells = 1;
  await using search = openMeilisearch(url());
  await search.check();
  expect(asked).toBe(2);
});

test('a server that says nothing else is retried later', async () => {
  farewells = 10;
  await using search = openMeilisearch(url());
  await expect(search.check()).rejects.toThrow(RetryableError);
  expect(asked).toBe(2);
});
