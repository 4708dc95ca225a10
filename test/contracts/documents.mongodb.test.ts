import { setTimeout as delay } from 'node:timers/promises';

import { type Document, MongoClient } from 'mongodb';
import { afterAll, describe, expect, inject, test } from 'vitest';

import { RetryableError } from '../../src/platform/errors.ts';
import { collectionSpec } from '../../src/projecting/engine/projection.ts';
import { checkedCount, checkedFind } from '../../src/stores/documents/check-query.ts';
import { indexesForQuery } from '../../src/stores/documents/require-index-for-query.ts';
import { openMongoDocuments } from '../../src/stores/documents/mongodb/documents.ts';
import { countPipeline, hintOf, pageQuery } from '../../src/stores/documents/mongodb/queries.ts';
import type { CollectionSpec, CountQuery, Documents, Query } from '../../src/stores/documents/port.ts';
import { PARKED } from '../../src/projecting/engine/parking.ts';
import { QUOTA } from '../../src/access/quota/quota-day-document.ts';
import { listings } from '../../projections/listings/index.ts';
import { monitor } from '../../projections/monitor/index.ts';
import { startProxy } from '../support/proxy.ts';
import { expectAddedByProcesses, writing, type DocumentsFactory } from './documents-bench.ts';
import { documentsContract } from './documents.ts';
import { forAllTests } from '../support/for-each-test.ts';

const service = inject('services')['mongodb'];
const url = new URL(service?.url ?? 'mongodb://none/');
const isThere = typeof service?.url === 'string';

const proxy = forAllTests(() => startProxy({ host: url.hostname, port: Number(url.port || 27_017) }));
let opened: Documents[] = [];

/** A database of this file's own, through the proxy or past it. */
function addressOf(host: string): string {
  const address = new URL(url);
  address.host = host;
  address.pathname = `/catalog-${process.pid}`;
  address.searchParams.set('directConnection', 'true');
  return address.href;
}

function proxied(): string {
  return addressOf(`127.0.0.1:${proxy.port}`);
}

function open(patienceMs: number): Documents {
  const documents = openMongoDocuments(proxied(), { patienceMs });
  opened.push(documents);
  return documents;
}

/** Whether these bytes are a command that writes: its name is the first key of the document. */
function isWrite(bytes: Buffer): boolean {
  return ['insert', 'update', 'delete'].some((name) => bytes.includes(`\u0002${name}\0`));
}

describe.runIf(isThere)('a MongoDB server', () => {
  const factory = (): DocumentsFactory => ({
    open: async () => openMongoDocuments(proxied(), { patienceMs: 1500 }),
    openInterrupted: async () => {
      const documents = openMongoDocuments(proxied(), { patienceMs: 1500 });
      await documents.now();
      proxy.loseAnswerTo(isWrite);
      return documents;
    },
    cut: async () => {
      proxy.down();
      return { heal: async () => proxy.up() };
    },
  });
  documentsContract('MongoDB', factory);

  afterAll(async () => {
    for (const documents of opened) await documents[Symbol.asyncDispose]();
    opened = [];
    await using client = new MongoClient(addressOf(url.host));
    await client.db().dropDatabase();
  });

  test('several processes add to one document, and what was acknowledged survives their death', async () => {
    await expectAddedByProcesses(open(5000), addressOf(url.host), 50);
  });

  test('a connection that carries nothing any more is given up, and the next call finds another', async () => {
    await open(5000).declare({ name: 'stalled', indexes: [] });
    const documents = open(500);
    const write = writing('a', { n: 1 });
    proxy.stall();
    await expect(documents.write('stalled', [write])).rejects.toThrow(RetryableError);
    proxy.up();
    await untilAnswered(async () => {
      expect(await documents.write('stalled', [write])).toEqual(['done']);
    });
  });

  test('a server that is away is asked at most once a second, however many calls wait for it', async () => {
    const documents = open(2500);
    await documents.declare({ name: 'away', indexes: [] });
    proxy.down();
    const before = proxy.connections;
    const began = Date.now();
    const calls = Array.from({ length: 30 }, () => documents.get('away', ['a']));
    const results = await Promise.allSettled(calls);
    const seconds = (Date.now() - began) / 1000;
    proxy.up();
    expect(results.every(({ status }) => status === 'rejected')).toBe(true);
    // Each call may find out by itself; from then on it is one a second, the driver's own look for a primary beside it.
    expect(proxy.connections - before).toBeLessThanOrEqual(calls.length + 2 * (seconds + 1));
    await untilAnswered(async () => {
      expect(await documents.get('away', ['a'])).toEqual(new Map());
    });
  });

  describe('the plan of every query that the API and the engine make', () => {
    const published = { 'view.published': true };
    const ranked: Pick<Query, 'order'> = { order: ['-view.score.value'] };
    const finds: readonly (readonly [CollectionSpec, Omit<Query, 'limit'>])[] = [
      [collectionSpec(listings), { where: published, ...ranked }],
      [collectionSpec(listings), { where: { ...published, 'view.kind': 'bot' }, ...ranked }],
      [collectionSpec(listings), { where: { ...published, 'view.category': { in: ['a', 'b'] } }, ...ranked }],
      [
        collectionSpec(listings),
        { where: { ...published, 'view.kind': 'bot', 'view.category': { in: ['a', 'b'] } }, ...ranked },
      ],
      [collectionSpec(listings), { where: { 'dirty.mark': 'put' }, order: [] }],
      [collectionSpec(listings), { where: { 'dirty.mark': { in: ['remove', 'confirm'] } }, order: [] }],
      [PARKED, { where: { state: 'parked' }, order: ['parkedAt'] }],
      [QUOTA, { where: { place: 'a', day: { lt: '2026-01-01' } }, order: ['day'] }],
    ];
    const counts: readonly (readonly [CollectionSpec, CountQuery])[] = [
      [collectionSpec(listings), { where: published, by: ['view.kind', 'view.category'] }],
      [collectionSpec(listings), { where: { 'dirty.mark': { in: ['put', 'remove'] } }, by: ['dirty.mark'] }],
      [
        collectionSpec(monitor),
        { where: { 'view.kind': 'hour', 'view.target': 'a', 'view.hour': { lte: 5 } }, by: ['view.hour'] },
      ],
      [PARKED, { where: { state: 'parked' }, by: [] }],
    ];
    const named = ({ indexes }: CollectionSpec) => indexes.map((paths) => ({ name: paths.join(','), paths }));
    async function stagesOf(command: Document): Promise<readonly string[] | null> {
      await using client = new MongoClient(addressOf(url.host));
      try {
        return stagesIn(await client.db().command({ explain: command, verbosity: 'queryPlanner' }));
      } catch {
        // Whatever the reason, this server explains nothing.
        return null;
      }
    }

    /** Whether even the values of one field are sorted after its index has given them. */
    async function sortsAlways(): Promise<boolean> {
      await open(5000).declare({ name: 'ordered', indexes: [['a']] });
      const sort = { a: 1, _id: 1 };
      const filter = { a: { $gte: '' } };
      return (await stagesOf({ find: 'ordered', filter, sort, hint: 'a' }))?.includes('SORT') ?? true;
    }

    test.for(finds)('a page goes through an index and is not sorted: %j', async ([spec, query], { skip }) => {
      await open(5000).declare(spec);
      for (const page of [{}, ...(query.order.length === 0 ? [{ after: 'x' }] : [])]) {
        const checked = checkedFind({ ...query, limit: 20, ...page });
        const { filter, sort } = pageQuery(checked);
        const hint = hintOf(indexesForQuery(spec.name, named(spec), checked), checked.order);
        const stages = await stagesOf({ find: spec.name, filter, sort, hint, limit: 20 });
        if (stages === null) skip('NOT RUN: this server does not explain its plans');
        expect(stages).toContain('IXSCAN');
        expect(stages).not.toContain('COLLSCAN');
        if (await sortsAlways()) skip('NOT RUN: no index of this server has an order');
        expect(stages).not.toContain('SORT');
      }
    });

    test.for(counts)('a count goes through an index: %j', async ([spec, query], { skip }) => {
      await open(5000).declare(spec);
      const checked = checkedCount(query);
      const hint = hintOf(indexesForQuery(spec.name, named(spec), checked), []);
      const pipeline = countPipeline(checked);
      const stages = await stagesOf({ aggregate: spec.name, pipeline, hint, cursor: {} });
      if (stages === null) skip('NOT RUN: this server does not explain its plans');
      expect(stages).toContain('IXSCAN');
      expect(stages).not.toContain('COLLSCAN');
    });
  });
});

/** Every stage that a plan names, the rejected ones left out. */
function stagesIn(plan: unknown): readonly string[] {
  if (typeof plan !== 'object' || plan === null) return [];
  return Object.entries(plan).flatMap(([key, value]) => {
    if (key === 'rejectedPlans') return [];
    return key === 'stage' && typeof value === 'string' ? [value] : stagesIn(value);
  });
}

/** Repeats while the store says that a later attempt may succeed. */
async function untilAnswered(call: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      await call();
      return;
    } catch (thrown) {
      if (!(thrown instanceof RetryableError)) throw thrown;
      await delay(20);
    }
  }
}
