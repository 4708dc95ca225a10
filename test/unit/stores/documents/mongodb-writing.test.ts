import { describe, expect, test } from 'vitest';

import { PermanentError, RetryableError } from '../../../../src/platform/errors.ts';
import { openMongoDocuments } from '../../../../src/stores/documents/mongodb/documents.ts';
import { refusedIds, type Write } from '../../../../src/stores/documents/port.ts';
import { writing } from '../../../contracts/documents-bench.ts';
import { applied, openMongodbBench, versions } from '../../../support/mongodb-bench.ts';
import { forEachTest } from '../../../support/for-each-test.ts';

const bench = forEachTest(openMongodbBench);

const DUPLICATE = { code: 11_000, errmsg: 'duplicate' };
const STEPPED_DOWN = { ok: 0, code: 189, codeName: 'PrimarySteppedDown', errmsg: 'stepped down' };
const UNCONFIRMED = { code: 64, errmsg: 'waiting for replication timed out' };

describe('what became of a write on MongoDB', () => {
  const mine = (id: string): Write<object> => writing(id, {}, 'old');

  test('of two that create a document at once, the one that finds it there has a conflict', async () => {
    const [a, b] = [writing('a', {}), writing('b', {})];
    bench.server.answer('insert', applied(1, { writeErrors: [{ index: 1, ...DUPLICATE }] }));
    bench.server.answer('find', versions({ b: 'theirs' }));
    expect(await bench.documents.write('c', [b, a])).toEqual(['conflict', 'done']);
    expect(bench.idsOf('insert')).toEqual([['a', 'b']]);
  });

  test('where fewer were replaced than were sent, the versions tell which', async () => {
    const [a, b, c] = [mine('a'), mine('b'), mine('c')];
    bench.server.answer('update', applied(1));
    bench.server.answer('find', versions({ a: a.version, b: 'theirs' }));
    expect(await bench.documents.write('c', [a, b, c])).toEqual(['done', 'conflict', 'conflict']);
    expect(bench.received('find')).toHaveLength(1);
  });

  test('where all were replaced, nothing more is asked', async () => {
    bench.server.answer('update', applied(2));
    expect(await bench.documents.write('c', [mine('a'), mine('b')])).toEqual(['done', 'done']);
    expect(bench.received('find')).toEqual([]);
  });

  test('a primary that steps down in the middle loses nothing and doubles nothing', async () => {
    const [created, replaced] = [writing('a', {}), mine('b')];
    bench.server.answer('insert', applied(1), applied(0, { writeErrors: [{ index: 0, ...DUPLICATE }] }));
    bench.server.answer('update', STEPPED_DOWN, applied(1));
    bench.server.answer('find', versions({ a: created.version }));
    expect(await bench.documents.write('c', [created, replaced])).toEqual(['done', 'done']);
    expect(bench.received('update')).toHaveLength(2);
  });

  test.for([
    ['still has the token of the write', 'done'],
    ['has been written since by somebody else', 'conflict'],
  ] as const)(
    'a connection that is cut after the bytes left: a document that %s is %s',
    async ([, outcome]) => {
      const write = mine('a');
      bench.server.answer('update', 'cut', applied(0));
      bench.server.answer('find', versions({ a: outcome === 'done' ? write.version : 'theirs' }));
      expect(await bench.documents.write('c', [write])).toEqual([outcome]);
      expect(bench.received('update')).toHaveLength(2);
    },
  );

  test('what a majority has not confirmed is not done: it is sent again until one has', async () => {
    const write = writing('a', {});
    const again = { writeErrors: [{ index: 0, ...DUPLICATE }] };
    bench.server.answer('insert', applied(1, { writeConcernError: UNCONFIRMED }));
    bench.server.answer(
      'insert',
      applied(0, { ...again, writeConcernError: UNCONFIRMED }),
      applied(0, again),
    );
    bench.server.answer('find', versions({ a: write.version }));
    expect(await bench.documents.write('c', [write])).toEqual(['done']);
    expect(bench.received('insert')).toHaveLength(3);
  });

  test('what no majority confirms in time is retryable, never done', async () => {
    await using hasty = openMongoDocuments(bench.server.url, { patienceMs: 200 });
    const unconfirmed = applied(1, { writeConcernError: UNCONFIRMED });
    bench.server.answer('update', ...Array.from({ length: 100 }, () => unconfirmed));
    const call = hasty.write('c', [mine('a')]);
    await expect(call).rejects.toThrow(RetryableError);
    await expect(call).rejects.toThrow('not confirmed by a majority');
  });

  test('of a bulk write only what met another write is sent again', async () => {
    const busy = { index: 1, code: 112, errmsg: 'Write conflict' };
    bench.server.answer('update', applied(2, { writeErrors: [busy] }), applied(1));
    const outcomes = await bench.documents.write('c', [mine('a'), mine('b'), mine('c')]);
    expect(outcomes).toEqual(['done', 'done', 'done']);
    expect(bench.idsOf('update')).toEqual([['a', 'b', 'c'], ['b']]);
  });

  test('a document that was not removed although it is as it was read is removed again', async () => {
    bench.server.answer('delete', applied(0), applied(1));
    bench.server.answer('find', versions({ a: 'old' }));
    expect(await bench.documents.remove('c', [{ id: 'a', read: 'old' }])).toEqual(['done']);
  });

  test.each([
    ['for a reason that is not known is retryable', 1, 'InternalError', RetryableError],
    ['for its content is a failure for good', 121, 'Document failed validation', PermanentError],
  ])('a document refused %s, named, and not repeated here', async (_why, code, errmsg, kind) => {
    const refused = { index: 1, code, errmsg };
    bench.server.answer('update', applied(1, { writeErrors: [refused] }));
    const call = bench.documents.write('c', [mine('a'), mine('b')]);
    await expect(call).rejects.toThrow(kind);
    await expect(call).rejects.toThrow(`The document "b" was refused: ${errmsg}`);
    expect(refusedIds(await call.catch((thrown: unknown) => thrown))).toEqual(['b']);
    expect(bench.received('update')).toHaveLength(1);
  });

  test('nothing is sent again once the signal is aborted', async () => {
    const over = new AbortController();
    const calls = bench.documents.write('c', [mine('a')], { signal: over.signal });
    bench.server.answer('update', ...Array.from({ length: 50 }, () => STEPPED_DOWN));
    await expect.poll(() => bench.received('update').length).toBeGreaterThan(1);
    over.abort();
    await expect(calls).rejects.toThrow(RetryableError);
    const sent = bench.received('update').length;
    // The next call is answered after whatever the first one might still have sent.
    await bench.documents.now();
    expect(bench.received('update')).toHaveLength(sent);
  });

  test('a document that is larger than MongoDB takes is named, and nothing is sent', async () => {
    const large = { text: 'x'.repeat(16 * 1024 * 1024) };
    const call = bench.documents.write('c', [writing('small', {}), writing('large', large)]);
    await expect(call).rejects.toThrow(PermanentError);
    await expect(call).rejects.toThrow('The document "large" of c is larger than the 16 MiB');
    expect(bench.received('insert')).toEqual([]);
  });
});
