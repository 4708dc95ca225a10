import { describe, expect, test } from 'vitest';

import { PermanentError, RetryableError } from '../../../../src/platform/errors.ts';
import { uidOf } from '../../../../src/stores/search/meilisearch/term-encoding.ts';
import {
  openMeilisearch,
  type MeilisearchOptions,
} from '../../../../src/stores/search/meilisearch/search.ts';
import type { Search } from '../../../../src/stores/search/port.ts';
import { entry, hits, ids, many } from '../../../contracts/search-bench.ts';
import { Problem } from '../../../support/services/meilisearch-stand-in/problem.ts';
import { startStandIn } from '../../../support/services/meilisearch-stand-in/start.ts';
import { forEachTest } from '../../../support/for-each-test.ts';

/** What a server does on bad days, played by the stand-in. */

const INDEX = 'listings@1';
const ALPHA = entry('a', { titles: ['Alpha'] });
const DONE = { outcome: 'done' };

const standIn = forEachTest(() => startStandIn());
const search = forEachTest(async () => {
  const opened = open();
  await opened.declare(INDEX);
  return opened;
});

function open(options: MeilisearchOptions = {}): Search {
  return openMeilisearch(standIn.url, options);
}

function failTasks(type: string, problem: Problem): void {
  standIn.tasks.before = (task) => {
    if (task.type === type) throw problem;
  };
}

describe('tasks of Meilisearch', () => {
  test('settings are applied, and done, before an index counts as declared', async () => {
    const { promise: isConfigured, resolve: configure } = Promise.withResolvers<void>();
    standIn.tasks.before = async ({ type }) => {
      if (type === 'settingsUpdate') await isConfigured;
    };
    const declaring = search.declare('other@1');
    await expect.poll(() => standIn.requests).toContain('PATCH /indexes/catalog-otherAT1/settings');
    await expect(search.put('other@1', [ALPHA])).rejects.toThrow(RetryableError);
    expect(await search.indexes()).toEqual([INDEX]);
    configure();
    await declaring;
    expect(await search.put('other@1', [ALPHA])).toEqual(DONE);
    expect(await search.indexes()).toEqual([INDEX, 'other@1']);
  });

  test('a batch that the engine refuses is answered as failed, with its reason', async () => {
    failTasks('documentAdditionOrUpdate', new Problem(400, 'invalid_document_fields', 'a field is bad'));
    expect(await search.put(INDEX, [ALPHA])).toEqual({
      outcome: 'failed',
      reason: expect.stringContaining('a field is bad') as string,
    });
  });

  test.for(['internal', 'system'] as const)(
    'a failure of the engine itself (%s) is retryable',
    async (type) => {
      failTasks(
        'documentAdditionOrUpdate',
        new Problem(500, 'no_space_left_on_device', 'the disk is full', type),
      );
      await expect(search.put(INDEX, [ALPHA])).rejects.toThrow(RetryableError);
      await expect(search.put(INDEX, [ALPHA])).rejects.toThrow('the disk is full');
      standIn.tasks.before = () => undefined;
      expect(await search.put(INDEX, [ALPHA])).toEqual(DONE);
    },
  );

  test('a removal that the engine refuses is not taken for done', async () => {
    await search.put(INDEX, [ALPHA]);
    failTasks('documentDeletion', new Problem(400, 'invalid_document_filter', 'no'));
    expect(await search.remove(INDEX, ['a'])).toMatchObject({ outcome: 'failed' });
    expect(await ids(search, INDEX, 'alpha')).toEqual(['a']);
  });

  test('a task that takes too long is retryable, and a later removal is not overtaken by it', async () => {
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
    standIn.tasks.before = async () => await isOver;
    await using impatient = open({ taskMs: 20 });
    await expect(impatient.put(INDEX, [ALPHA])).rejects.toThrow(RetryableError);
    const removing = search.remove(INDEX, ['a']);
    end();
    expect(await removing).toEqual(DONE);
    expect(await ids(search, INDEX, 'alpha')).toEqual([]);
  });

  test('closing waits until a change in hand has been answered', async () => {
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
    standIn.tasks.before = async () => await isOver;
    const order: string[] = [];
    const client = open();
    const putting = client.put(INDEX, [ALPHA]).then(() => order.push('put'));
    const closing = client[Symbol.asyncDispose]().then(() => order.push('closed'));
    await expect.poll(() => standIn.requests).toContain('POST /indexes/catalog-listingsAT1/documents');
    end();
    await Promise.all([putting, closing]);
    expect(order).toEqual(['put', 'closed']);
  });

  test('an index that is dropped between the look at it and the task is missed', async () => {
    standIn.tasks.before = ({ type }) => {
      if (type === 'documentAdditionOrUpdate') standIn.lose(uidOf(INDEX));
    };
    await expect(search.put(INDEX, [ALPHA])).rejects.toThrow('does not exist');
    await expect(hits(search, INDEX, 'alpha')).rejects.toThrow(RetryableError);
    expect(await search.indexes()).toEqual([]);
  });
});

describe('answers of Meilisearch', () => {
  test.for([500, 502, 503, 408, 429])('%i is retryable, whatever its body', async (status) => {
    for (const body of ['<html>Bad gateway</html>', { message: 'm', code: 'c', type: 'invalid_request' }]) {
      standIn.failWith({ status, body });
      await expect(hits(search, INDEX, 'alpha')).rejects.toThrow(RetryableError);
      await expect(search.check()).rejects.toThrow(RetryableError);
    }
  });

  test.for([400, 404, 410, 418])(
    '%i is retryable where it is not the engine that says so',
    async (status) => {
      for (const body of ['<html>No such route</html>', {}]) {
        standIn.failWith({ status, body });
        await expect(hits(search, INDEX, 'alpha')).rejects.toThrow(RetryableError);
      }
    },
  );

  test('they are asked for uncompressed', async () => {
    await search.put(INDEX, [ALPHA]);
    await ids(search, INDEX, 'alpha');
    expect([...standIn.encodings]).toEqual(['identity']);
  });

  test('a page of somebody else in the place of an answer is retryable', async () => {
    standIn.failWith({ status: 200, body: '<html>Welcome</html>' });
    await expect(hits(search, INDEX, 'alpha')).rejects.toThrow(RetryableError);
  });

  test('a put that is too large for the engine is answered as failed, so that the feed halves it', async () => {
    await using narrow = await startStandIn({ maxBodyBytes: 20_000 });
    await using client = openMeilisearch(narrow.url);
    await client.declare(INDEX);
    expect(await client.put(INDEX, many(100))).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('exceeded 20000 bytes') as string,
    });
    expect(await client.put(INDEX, [ALPHA])).toEqual(DONE);
  });

  test('a key that may only search is enough to answer queries, and changes nothing', async () => {
    await using guarded = await startStandIn({ keys: { admin: 'everything', reader: 'search' } });
    await using admin = openMeilisearch(guarded.url, { key: 'admin' });
    await using reader = openMeilisearch(guarded.url, { key: 'reader' });
    await admin.declare(INDEX);
    await admin.put(INDEX, [ALPHA]);
    await reader.check();
    expect(await ids(reader, INDEX, 'alpha')).toEqual(['a']);
    await expect(reader.put(INDEX, [ALPHA])).rejects.toThrow(PermanentError);
    await expect(reader.remove(INDEX, ['a'])).rejects.toThrow('CATALOG_SEARCH_KEY');
    await expect(reader.drop(INDEX)).rejects.toThrow(PermanentError);
  });

  test.for<[string, string | null]>([
    ['no key', null],
    ['a wrong key', 'a-wrong-secret'],
  ])('%s is refused by a check, and no error tells it', async ([, key]) => {
    await using guarded = await startStandIn({ keys: { admin: 'everything' } });
    await using client = openMeilisearch(guarded.url, { key });
    const error: unknown = await client.check().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PermanentError);
    expect(String(error)).toContain('CATALOG_SEARCH_KEY');
    expect(String(error)).not.toContain('a-wrong-secret');
  });
});
