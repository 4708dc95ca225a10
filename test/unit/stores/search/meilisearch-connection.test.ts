import { createServer } from 'node:http';

import { expect, test } from 'vitest';

import { RetryableError } from '../../../../src/platform/errors.ts';
import { openMeilisearch } from '../../../../src/stores/search/meilisearch/search.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { listenOnLoopback } from '../../../support/loopback.ts';

/** How often a server says farewell to connections, and what it was asked. */
let farewells: number;
let asked: number;
const server = forEachTest(async () => {
  asked = 0;
  const answering = createServer((_, response) => {
    asked += 1;
    if (farewells > 0) {
      farewells -= 1;
      response.writeHead(408, { connection: 'close', 'content-length': '0' }).end();
    } else {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"results":[]}');
    }
  });
  return await listenOnLoopback(answering);
});

const url = (): string => `http://127.0.0.1:${server.port}`;

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
