import { describe, expect, test } from 'vitest';

import { PermanentError, RetryableError } from '../../../../src/platform/errors.ts';
import { openMongoDocuments } from '../../../../src/stores/documents/mongodb/documents.ts';
import { openMongodbBench } from '../../../support/mongodb-bench.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { listed, startScriptedMongodb } from '../../../support/scripted-mongodb.ts';

const bench = forEachTest(openMongodbBench);

describe('failing on MongoDB', () => {
  const failure = (code: number): object => ({ ok: 0, code, errmsg: `code ${code}` });

  const PASSING = [6, 89, 91, 112, 133, 189, 262, 9001, 10_107, 11_600, 11_602, 13_435, 13_436, 14_031];
  const UNLISTED = [1, 8, 11, 18, 125, 8000, 424_242];
  test.for([...PASSING, ...UNLISTED])(
    'what may pass, or nobody has listed, is repeated, and then retryable: code %i',
    async (code) => {
      bench.server.answer('find', failure(code), listed([]));
      expect(await bench.documents.get('c', ['a'])).toEqual(new Map());
      await using hasty = openMongoDocuments(bench.server.url, { patienceMs: 5 });
      bench.server.answer('find', failure(code), failure(code), failure(code));
      await expect(hasty.get('c', ['a'])).rejects.toThrow(RetryableError);
    },
  );

  test('a failure without any code is retryable', async () => {
    await using hasty = openMongoDocuments(bench.server.url, { patienceMs: 5 });
    bench.server.answer(
      'find',
      ...Array.from({ length: 9 }, () => ({ ok: 0, errmsg: 'the backend is restarting' })),
    );
    await expect(hasty.get('c', ['a'])).rejects.toThrow(RetryableError);
  });

  test.for([2, 9, 59, 148])('what cannot pass is not repeated: code %i', async (code) => {
    bench.server.answer('find', failure(code));
    await expect(bench.documents.get('c', ['a'])).rejects.toThrow(PermanentError);
    expect(bench.received('find')).toHaveLength(1);
  });

  test('a user without the right is told which variable to correct', async () => {
    bench.server.answer('find', failure(13));
    await expect(bench.documents.get('c', ['a'])).rejects.toThrow('CATALOG_DOCUMENTS_URL lacks a right');
  });

  test('a server that is silent is given up, and the call is retryable', async () => {
    await using hasty = openMongoDocuments(bench.server.url, { patienceMs: 100 });
    bench.server.answer('find', 'silence');
    await expect(hasty.get('c', ['a'])).rejects.toThrow(RetryableError);
  });

  test('a server that comes later than its clients is found, also by calls that were many at once', async () => {
    const { url } = bench.server;
    await bench.server[Symbol.asyncDispose]();
    await using early = openMongoDocuments(url, { patienceMs: 300 });
    const calls = Array.from({ length: 5 }, () => early.get('c', ['a']));
    await Promise.all(calls.map((call) => expect(call).rejects.toThrow(RetryableError)));
    bench.server = await startScriptedMongodb(Number(new URL(url).port));
    const found = async (): Promise<string> => {
      try {
        await early.get('c', ['a']);
        return 'there';
      } catch (thrown) {
        if (!(thrown instanceof RetryableError)) throw thrown;
        return 'away';
      }
    };
    await expect.poll(found, { timeout: 30_000 }).toBe('there');
  });

  test('a server that is not there is retryable, and the message names it', async () => {
    await using hasty = openMongoDocuments('mongodb://127.0.0.1:1/', { patienceMs: 100 });
    const call = hasty.get('c', ['a']);
    await expect(call).rejects.toThrow(RetryableError);
    await expect(call).rejects.toThrow('MongoDB at 127.0.0.1:1 cannot be reached: ');
  });

  test.for([
    'mongodb://user:secret@',
    'mongodb://user:secret@host:port/',
    'mongodb://user:secret@host/?authMechanism=none',
    'mongodb://user:secret@host/?what=1',
  ])('an address that is none is refused for good, and no password is shown: %s', (url) => {
    let thrown: unknown;
    try {
      openMongoDocuments(url);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(PermanentError);
    expect((thrown as Error).message).toMatch(/^CATALOG_DOCUMENTS_URL: /);
    expect((thrown as Error).cause).toBeUndefined();
    expect(String((thrown as Error).stack)).not.toContain('secret');
  });

  test('an index that another process has dropped meanwhile is asked for again, not scanned around', async () => {
    const ID = { v: 2, key: { _id: 1 }, name: '_id_' };
    const index = { v: 2, key: { a: 1, _id: 1 }, name: 'a' };
    bench.server.answer('listIndexes', listed([ID, index]), listed([ID]));
    bench.server.answer('find', failure(2));
    const found = bench.documents.find('c', { where: { a: 1 }, order: [], limit: 1 });
    await expect(found).rejects.toThrow('c declares no index over [a]');
    expect(bench.received('find')[0]).toMatchObject({ hint: 'a' });
  });
});
