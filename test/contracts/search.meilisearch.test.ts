import * as fc from 'fast-check';
import { Meilisearch } from 'meilisearch';
import { describe, expect, inject, test } from 'vitest';

import { RetryableError } from '../../src/platform/errors.ts';
import { storedOf } from '../../src/stores/search/meilisearch/stored-entry.ts';
import { uidOf } from '../../src/stores/search/meilisearch/term-encoding.ts';
import { openMeilisearch } from '../../src/stores/search/meilisearch/search.ts';
import { anyText } from '../support/any-text.ts';
import { startProxy } from '../support/proxy.ts';
import { testKey } from '../support/services/meilisearch.ts';
import { contents, entry, hits, ids } from './search-bench.ts';
import { searchContract } from './search.ts';
import { forAllTests } from '../support/for-each-test.ts';
import { words } from '../support/words.ts';

const service = inject('services')['meilisearch'];
const url = new URL(service?.url ?? 'http://none/');
const isThere = typeof service?.url === 'string';
const key = testKey();

const ALPHA = entry('a', { titles: ['Alpha'] });

/** Values that a server may take for each other, or for numbers. */
const ALIKE = [
  ...words('é e\u0301 E e É 1 1.0 1e0 01'),
  ' 1',
  'nan',
  'NaN',
  'inf',
  'x'.repeat(600),
  'x'.repeat(601),
];

const proxy = forAllTests(() => startProxy({ host: url.hostname, port: Number(url.port || 80) }));

function proxied(): string {
  return `http://127.0.0.1:${proxy.port}`;
}

describe.runIf(isThere)('a Meilisearch server', () => {
  searchContract('Meilisearch', () => ({
    open: async () => openMeilisearch(proxied(), { key }),
    cut: async () => {
      proxy.down();
      return { heal: async () => proxy.up() };
    },
  }));

  test('documents that make an index of their own do not pass for a declared one', async () => {
    const client = new Meilisearch({ host: url.href, apiKey: key ?? '' });
    const name = `auto-${process.pid}@1`;
    await client
      .index(uidOf(name))
      .addDocuments([storedOf(ALPHA)], { primaryKey: 'id' })
      .waitTask();
    await using search = openMeilisearch(url.href, { key });
    await expect(hits(search, name, 'alpha')).rejects.toThrow(RetryableError);
    await expect(search.put(name, [ALPHA])).rejects.toThrow(RetryableError);
    expect(await contents(search, name)).toEqual(new Map());
    expect(await search.indexes()).not.toContain(name);
    await search.declare(name);
    expect(await search.indexes()).toContain(name);
    expect(await ids(search, name, 'alpha')).toEqual(['a']);
    await search.drop(name);
  });

  test('installations with prefixes of their own share a server, and see nothing of each other', async () => {
    await using staging = openMeilisearch(url.href, { key, prefix: `staging-${process.pid}-` });
    await using live = openMeilisearch(url.href, { key, prefix: `live-${process.pid}-` });
    const name = 'listings@1';
    for (const search of [staging, live]) await search.declare(name);
    await staging.put(name, [ALPHA]);
    expect(await ids(staging, name, 'alpha')).toEqual(['a']);
    expect(await ids(live, name, 'alpha')).toEqual([]);
    expect(await live.indexes()).toEqual([name]);
    await live.drop(name);
    expect([...(await contents(staging, name)).keys()]).toEqual(['a']);
    await staging.drop(name);
  });

  test('1,000 made-up filter values, and some that are alike, select themselves alone', async () => {
    await using search = openMeilisearch(url.href, { key });
    const name = `fuzzed-${process.pid}@1`;
    const values = [...new Set([...ALIKE, ...fc.sample(anyText(100), 1000)])];
    const entries = values.map((category, at) => entry(`f-${at}`, { titles: ['Alpha'], category }));
    await search.declare(name);
    await search.put(name, entries);
    for (const [at, value] of ALIKE.entries()) {
      expect(await ids(search, name, 'alpha', { filter: { categories: [value] } })).toEqual([`f-${at}`]);
    }
    for (let from = 0; from < entries.length; from += 50) {
      const chosen = entries.slice(from, from + 50);
      const found = await ids(search, name, 'alpha', {
        filter: { categories: values.slice(from, from + 50) },
      });
      expect(found.toSorted()).toEqual(chosen.map(({ id }) => id).toSorted());
    }
    await search.drop(name);
  });

  test('an engine that says nothing is given up, and found again when it answers', async () => {
    await using search = openMeilisearch(proxied(), { key, requestMs: 3000 });
    await search.check();
    proxy.stall();
    await expect(search.check()).rejects.toThrow(RetryableError);
    proxy.up();
    await expect(search.check()).resolves.toBeUndefined();
  });

  test('a change whose answer was lost is made once more, and lands', async () => {
    await using search = openMeilisearch(proxied(), { key });
    const name = `lost-${process.pid}@1`;
    await search.declare(name);
    proxy.loseAnswerTo((bytes) => bytes.includes('/documents'));
    expect(await search.put(name, [ALPHA])).toEqual({ outcome: 'done' });
    expect(await ids(search, name, 'alpha')).toEqual(['a']);
    await search.drop(name);
  });
});
