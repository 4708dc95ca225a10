import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { PermanentError, RetryableError } from '../../../../src/platform/errors.ts';
import { openMongoDocuments } from '../../../../src/stores/documents/mongodb/documents.ts';
import { refusedIds, type Documents, type Write } from '../../../../src/stores/documents/port.ts';
import { numbered, writing } from '../../../contracts/documents-bench.ts';
import { listed, startScriptedMongodb, type ScriptedMongodb } from '../../../support/scripted-mongodb.ts';

let server: ScriptedMongodb;
let documents: Documents;
beforeEach(async () => {
  server = await startScriptedMongodb();
  documents = openMongoDocuments(server.url, { patienceMs: 2000 });
});
afterEach(async () => {
  await documents[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const DUPLICATE = { code: 11_000, errmsg: 'duplicate' };
const STEPPED_DOWN = { ok: 0, code: 189, codeName: 'PrimarySteppedDown', errmsg: 'stepped down' };
const UNCONFIRMED = { code: 64, errmsg: 'waiting for replication timed out' };

function applied(n: number, more: object = {}): object {
  return { ok: 1, n, nModified: n, ...more };
}

/** The answer to the question which versions documents have. */
function versions(found: Readonly<Record<string, string>>): object {
  return listed(Object.entries(found).map(([_id, version]) => ({ _id, version })));
}

function received(name: string): readonly Readonly<Record<string, unknown>>[] {
  return server.commands.filter((command) => Object.keys(command)[0] === name);
}

/** The ids that each command of this kind named. */
function idsOf(name: 'insert' | 'update'): readonly unknown[] {
  return received(name).map((command) =>
    name === 'insert'
      ? (command['documents'] as { _id: string }[]).map(({ _id }) => _id)
      : (command['updates'] as { q: { _id: string } }[]).map(({ q }) => q._id),
  );
}

describe('what became of a write on MongoDB', () => {
  const mine = (id: string): Write<object> => writing(id, {}, 'old');

  test('of two that create a document at once, the one that finds it there has a conflict', async () => {
    const [a, b] = [writing('a', {}), writing('b', {})];
    server.answer('insert', applied(1, { writeErrors: [{ index: 1, ...DUPLICATE }] }));
    server.answer('find', versions({ b: 'theirs' }));
    expect(await documents.write('c', [b, a])).toEqual(['conflict', 'done']);
    expect(idsOf('insert')).toEqual([['a', 'b']]);
  });

  test('where fewer were replaced than were sent, the versions tell which', async () => {
    const [a, b, c] = [mine('a'), mine('b'), mine('c')];
    server.answer('update', applied(1));
    server.answer('find', versions({ a: a.version, b: 'theirs' }));
    expect(await documents.write('c', [a, b, c])).toEqual(['done', 'conflict', 'conflict']);
    expect(received('find')).toHaveLength(1);
  });

  test('where all were replaced, nothing more is asked', async () => {
    server.answer('update', applied(2));
    expect(await documents.write('c', [mine('a'), mine('b')])).toEqual(['done', 'done']);
    expect(received('find')).toEqual([]);
  });

  test('a primary that steps down in the middle loses nothing and doubles nothing', async () => {
    const [created, replaced] = [writing('a', {}), mine('b')];
    server.answer('insert', applied(1), applied(0, { writeErrors: [{ index: 0, ...DUPLICATE }] }));
    server.answer('update', STEPPED_DOWN, applied(1));
    server.answer('find', versions({ a: created.version }));
    expect(await documents.write('c', [created, replaced])).toEqual(['done', 'done']);
    expect(received('update')).toHaveLength(2);
  });

  test.for([
    ['still has the token of the write', 'done'],
    ['has been written since by somebody else', 'conflict'],
  ] as const)(
    'a connection that is cut after the bytes left: a document that %s is %s',
    async ([, outcome]) => {
      const write = mine('a');
      server.answer('update', 'cut', applied(0));
      server.answer('find', versions({ a: outcome === 'done' ? write.version : 'theirs' }));
      expect(await documents.write('c', [write])).toEqual([outcome]);
      expect(received('update')).toHaveLength(2);
    },
  );

  test('what a majority has not confirmed is not done: it is sent again until one has', async () => {
    const write = writing('a', {});
    const again = { writeErrors: [{ index: 0, ...DUPLICATE }] };
    server.answer('insert', applied(1, { writeConcernError: UNCONFIRMED }));
    server.answer('insert', applied(0, { ...again, writeConcernError: UNCONFIRMED }), applied(0, again));
    server.answer('find', versions({ a: write.version }));
    expect(await documents.write('c', [write])).toEqual(['done']);
    expect(received('insert')).toHaveLength(3);
  });

  test('what no majority confirms in time is retryable, never done', async () => {
    const hasty = openMongoDocuments(server.url, { patienceMs: 200 });
    const unconfirmed = applied(1, { writeConcernError: UNCONFIRMED });
    server.answer('update', ...Array.from({ length: 100 }, () => unconfirmed));
    const call = hasty.write('c', [mine('a')]);
    await expect(call).rejects.toThrow(RetryableError);
    await expect(call).rejects.toThrow('not confirmed by a majority');
    await hasty[Symbol.asyncDispose]();
  });

  test('of a bulk write only what met another write is sent again', async () => {
    const busy = { index: 1, code: 112, errmsg: 'Write conflict' };
    server.answer('update', applied(2, { writeErrors: [busy] }), applied(1));
    const outcomes = await documents.write('c', [mine('a'), mine('b'), mine('c')]);
    expect(outcomes).toEqual(['done', 'done', 'done']);
    expect(idsOf('update')).toEqual([['a', 'b', 'c'], ['b']]);
  });

  test('a document that was not removed although it is as it was read is removed again', async () => {
    server.answer('delete', applied(0), applied(1));
    server.answer('find', versions({ a: 'old' }));
    expect(await documents.remove('c', [{ id: 'a', read: 'old' }])).toEqual(['done']);
  });

  test('a document that is refused for a reason that is not known is named, retryable, and not repeated here', async () => {
    const refused = { index: 1, code: 1, errmsg: 'InternalError' };
    server.answer('update', applied(1, { writeErrors: [refused] }));
    const call = documents.write('c', [mine('a'), mine('b')]);
    await expect(call).rejects.toThrow(RetryableError);
    expect(refusedIds(await call.catch((thrown: unknown) => thrown))).toEqual(['b']);
    expect(received('update')).toHaveLength(1);
  });

  test('nothing is sent again once the signal is aborted', async () => {
    const over = new AbortController();
    const calls = documents.write('c', [mine('a')], { signal: over.signal });
    server.answer('update', ...Array.from({ length: 50 }, () => STEPPED_DOWN));
    await expect.poll(() => received('update').length).toBeGreaterThan(1);
    over.abort();
    await expect(calls).rejects.toThrow(RetryableError);
    const sent = received('update').length;
    // The next call is answered after whatever the first one might still have sent.
    await documents.now();
    expect(received('update')).toHaveLength(sent);
  });

  test('a document that the server refuses is named, and is a failure for good', async () => {
    const refused = { index: 1, code: 121, errmsg: 'Document failed validation' };
    server.answer('update', applied(1, { writeErrors: [refused] }));
    const call = documents.write('c', [mine('a'), mine('b')]);
    await expect(call).rejects.toThrow(PermanentError);
    await expect(call).rejects.toThrow('The document "b" was refused: Document failed validation');
    expect(refusedIds(await call.catch((thrown: unknown) => thrown))).toEqual(['b']);
  });

  test('a document that is larger than MongoDB takes is named, and nothing is sent', async () => {
    const large = { text: 'x'.repeat(16 * 1024 * 1024) };
    const call = documents.write('c', [writing('small', {}), writing('large', large)]);
    await expect(call).rejects.toThrow(PermanentError);
    await expect(call).rejects.toThrow('The document "large" of c is larger than the 16 MiB');
    expect(received('insert')).toEqual([]);
  });
});

describe('what MongoDB is asked', () => {
  test('bulk writes are sorted by id, so that no two of them wait for each other, and cut', async () => {
    const ids = numbered(2500);
    server.answer('insert', applied(1000), applied(1000), applied(500));
    await documents.write(
      'c',
      ids.toReversed().map((id) => writing(id, {})),
    );
    expect(idsOf('insert').flat()).toEqual(ids);
    expect(idsOf('insert').map((sent) => (sent as string[]).length)).toEqual([1000, 1000, 500]);
  });

  test('large bodies are sent some megabytes at a time', async () => {
    server.answer('insert', applied(2), applied(1));
    const body = { text: 'x'.repeat(3 * 1024 * 1024) };
    await documents.write(
      'c',
      ['a', 'b', 'c'].map((id) => writing(id, body)),
    );
    expect(idsOf('insert')).toEqual([['a', 'b'], ['c']]);
  });

  test('every write waits for a majority, is guarded, and neither upserts nor counts on the driver to repeat it', async () => {
    server.answer('insert', applied(1));
    server.answer('update', applied(1));
    server.answer('delete', applied(1));
    await documents.write('c', [writing('a', {}), writing('b', {}, 'old')]);
    await documents.remove('c', [{ id: 'a', read: 'old' }]);
    for (const name of ['insert', 'update', 'delete']) {
      expect(received(name)).toMatchObject([{ ordered: false, writeConcern: { w: 'majority' } }]);
      expect(received(name)[0]).not.toHaveProperty('txnNumber');
    }
    expect(received('update')[0]).toMatchObject({ updates: [{ q: { _id: 'b', version: 'old' } }] });
    expect(received('update')[0]).not.toHaveProperty('updates.0.upsert', true);
    expect(received('delete')[0]).toMatchObject({ deletes: [{ q: { _id: 'a', version: 'old' }, limit: 1 }] });
  });

  test('the URL cannot weaken what the guarantees rest on', async () => {
    const weak = `${server.url}&w=1&readConcernLevel=available&readPreference=secondary&retryWrites=true`;
    await using other = openMongoDocuments(weak);
    server.answer('find', listed([]));
    server.answer('insert', applied(1));
    await other.get('c', ['a']);
    await other.write('c', [writing('a', {})]);
    expect(received('find')[0]).toMatchObject({ readConcern: { level: 'local' } });
    expect(received('find')[0]).not.toMatchObject({ $readPreference: { mode: 'secondary' } });
    expect(received('insert')[0]).toMatchObject({ writeConcern: { w: 'majority' } });
    expect(received('insert')[0]).not.toHaveProperty('txnNumber');
  });

  test('versions that are to be durable are read from what a majority has, all others from the primary', async () => {
    server.answer('find', versions({ a: '1' }), versions({ a: '1' }));
    await documents.versions('c', ['a'], { durable: true });
    await documents.versions('c', ['a']);
    expect(received('find')).toMatchObject([
      { readConcern: { level: 'majority' } },
      { readConcern: { level: 'local' } },
    ]);
  });

  test('so are documents that are found to be told to others', async () => {
    server.answer('find', listed([]), listed([]));
    await documents.declare({ name: 'c', indexes: [] });
    await documents.find('c', { where: {}, order: [], limit: 1, durable: true });
    await documents.find('c', { where: {}, order: [], limit: 1 });
    expect(received('find')).toMatchObject([
      { readConcern: { level: 'majority' } },
      { readConcern: { level: 'local' } },
    ]);
  });

  test('the database is the one that the URL names, and else "catalog"', async () => {
    await documents.get('c', ['a']);
    await using other = openMongoDocuments(server.url.replace('/catalog?', '/of%20ours?'));
    await other.get('c', ['a']);
    await using unnamed = openMongoDocuments(server.url.replace('/catalog?', '/?'));
    await unnamed.get('c', ['a']);
    expect(received('find').map((command) => command['$db'])).toEqual(['catalog', 'of ours', 'catalog']);
  });

  test('the clock is the server’s', async () => {
    expect(await documents.now()).toBe(1_234_567);
  });
});

describe('declaring on MongoDB', () => {
  const spec = { name: 'c', indexes: [['a', '-b']] };
  const ID = { v: 2, key: { _id: 1 }, name: '_id_' };
  const OURS = { v: 2, key: { 'fields.a': 1, 'fields.b': -1, _id: 1 }, name: 'a,-b' };
  const collections = (options: object = {}) => listed([{ name: 'c', type: 'collection', options }]);

  test('what is there is not made again, so that a reader needs no right to make it', async () => {
    server.answer('listIndexes', listed([ID, OURS]), listed([ID, OURS]));
    server.answer('listCollections', collections());
    await documents.declare(spec);
    expect(received('create')).toEqual([]);
    expect(received('createIndexes')).toEqual([]);
  });

  test('what is missing is made, and looked at', async () => {
    server.answer('listIndexes', listed([ID]), listed([ID, OURS]));
    server.answer('listCollections', collections());
    await documents.declare(spec);
    expect(received('createIndexes')).toMatchObject([{ indexes: [{ key: OURS.key, name: OURS.name }] }]);
  });

  test('an index that another process makes at the same moment is no failure', async () => {
    server.answer('listIndexes', { ok: 0, code: 26, errmsg: 'ns does not exist' }, listed([ID, OURS]));
    server.answer('create', { ok: 0, code: 48, errmsg: 'already exists' });
    server.answer('listCollections', collections());
    await documents.declare(spec);
  });

  test.for([
    { ...OURS, sparse: true },
    { ...OURS, unique: true },
    { ...OURS, partialFilterExpression: { 'fields.a': 1 } },
    { ...OURS, collation: { locale: 'ru' } },
    { ...OURS, key: { 'fields.a': 1, _id: 1 } },
  ])(
    'an index of the same name that is not the same is refused, and the message says what to do: %j',
    async (other) => {
      server.answer('listIndexes', listed([ID, other]), listed([ID, other]));
      server.answer('listCollections', collections());
      const declared = documents.declare(spec);
      await expect(declared).rejects.toThrow(PermanentError);
      await expect(declared).rejects.toThrow('needs an index [a, -b]');
    },
  );

  test('an index that the server refuses because of another one is refused with the same advice', async () => {
    server.answer('listCollections', collections());
    server.answer('createIndexes', { ok: 0, code: 86, errmsg: 'IndexKeySpecsConflict' });
    await expect(documents.declare(spec)).rejects.toThrow('Drop that one; the next start makes it again.');
  });

  test.for([{ collation: { locale: 'ru' } }, { capped: true }])(
    'a collection that orders or keeps otherwise is refused: %j',
    async (options) => {
      server.answer('listCollections', collections(options));
      await expect(documents.declare(spec)).rejects.toThrow(PermanentError);
    },
  );
});

describe('failing on MongoDB', () => {
  const failure = (code: number): object => ({ ok: 0, code, errmsg: `code ${code}` });

  test.for([6, 89, 91, 112, 133, 189, 262, 9001, 10_107, 11_600, 11_602, 13_435, 13_436, 14_031])(
    'what may pass is repeated, and then retryable: code %i',
    async (code) => {
      server.answer('find', failure(code), listed([]));
      expect(await documents.get('c', ['a'])).toEqual(new Map());
      const hasty = openMongoDocuments(server.url, { patienceMs: 5 });
      server.answer('find', failure(code), failure(code), failure(code));
      await expect(hasty.get('c', ['a'])).rejects.toThrow(RetryableError);
      await hasty[Symbol.asyncDispose]();
    },
  );

  test.for([1, 8, 11, 18, 125, 8000, 424_242])(
    'a code that nobody has listed is repeated, and then retryable: code %i',
    async (code) => {
      server.answer('find', failure(code), listed([]));
      expect(await documents.get('c', ['a'])).toEqual(new Map());
      const hasty = openMongoDocuments(server.url, { patienceMs: 5 });
      server.answer('find', failure(code), failure(code), failure(code));
      await expect(hasty.get('c', ['a'])).rejects.toThrow(RetryableError);
      await hasty[Symbol.asyncDispose]();
    },
  );

  test('a failure without any code is retryable', async () => {
    const hasty = openMongoDocuments(server.url, { patienceMs: 5 });
    server.answer(
      'find',
      ...Array.from({ length: 9 }, () => ({ ok: 0, errmsg: 'the backend is restarting' })),
    );
    await expect(hasty.get('c', ['a'])).rejects.toThrow(RetryableError);
    await hasty[Symbol.asyncDispose]();
  });

  test.for([2, 9, 59, 148])('what cannot pass is not repeated: code %i', async (code) => {
    server.answer('find', failure(code));
    await expect(documents.get('c', ['a'])).rejects.toThrow(PermanentError);
    expect(received('find')).toHaveLength(1);
  });

  test('a user without the right is told which variable to correct', async () => {
    server.answer('find', failure(13));
    await expect(documents.get('c', ['a'])).rejects.toThrow('CATALOG_DOCUMENTS_URL lacks a right');
  });

  test('a server that is silent is given up, and the call is retryable', async () => {
    const hasty = openMongoDocuments(server.url, { patienceMs: 100 });
    server.answer('find', 'silence');
    await expect(hasty.get('c', ['a'])).rejects.toThrow(RetryableError);
    await hasty[Symbol.asyncDispose]();
  });

  test('a server that comes later than its clients is found, also by calls that were many at once', async () => {
    const { url } = server;
    await server[Symbol.asyncDispose]();
    await using early = openMongoDocuments(url, { patienceMs: 300 });
    const calls = Array.from({ length: 5 }, () => early.get('c', ['a']));
    await Promise.all(calls.map((call) => expect(call).rejects.toThrow(RetryableError)));
    server = await startScriptedMongodb(Number(new URL(url).port));
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
    const hasty = openMongoDocuments('mongodb://127.0.0.1:1/', { patienceMs: 100 });
    const call = hasty.get('c', ['a']);
    await expect(call).rejects.toThrow(RetryableError);
    await expect(call).rejects.toThrow('MongoDB at 127.0.0.1:1 cannot be reached: ');
    await hasty[Symbol.asyncDispose]();
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
    const index = { v: 2, key: { 'fields.a': 1, _id: 1 }, name: 'a' };
    server.answer('listIndexes', listed([ID, index]), listed([ID]));
    server.answer('find', failure(2));
    const found = documents.find('c', { where: { a: 1 }, order: [], limit: 1 });
    await expect(found).rejects.toThrow('c declares no index over [a]');
    expect(received('find')[0]).toMatchObject({ hint: 'a' });
  });
});
