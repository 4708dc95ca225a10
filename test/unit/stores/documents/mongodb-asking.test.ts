import { describe, expect, test } from 'vitest';

import { openMongoDocuments } from '../../../../src/stores/documents/mongodb/documents.ts';
import { numbered, writing } from '../../../contracts/documents-bench.ts';
import { applied, openMongodbBench, versions } from '../../../support/mongodb-bench.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { listed } from '../../../support/scripted-mongodb.ts';

const bench = forEachTest(openMongodbBench);

describe('what MongoDB is asked', () => {
  test('bulk writes are sorted by id, so that no two of them wait for each other, and cut', async () => {
    const ids = numbered(1100);
    bench.server.answer('insert', applied(500), applied(500), applied(100));
    await bench.documents.write(
      'c',
      ids.toReversed().map((id) => writing(id, {})),
    );
    expect(bench.idsOf('insert').flat()).toEqual(ids);
    expect(bench.idsOf('insert').map((sent) => (sent as string[]).length)).toEqual([500, 500, 100]);
  });

  test('every write waits for a majority, is guarded, and neither upserts nor counts on the driver to repeat it', async () => {
    bench.server.answer('insert', applied(1));
    bench.server.answer('update', applied(1));
    bench.server.answer('delete', applied(1));
    await bench.documents.write('c', [writing('a', {}), writing('b', {}, 'old')]);
    await bench.documents.remove('c', [{ id: 'a', read: 'old' }]);
    for (const name of ['insert', 'update', 'delete']) {
      expect(bench.received(name)).toMatchObject([{ ordered: false, writeConcern: { w: 'majority' } }]);
      expect(bench.received(name)[0]).not.toHaveProperty('txnNumber');
    }
    expect(bench.received('update')[0]).toMatchObject({ updates: [{ q: { _id: 'b', version: 'old' } }] });
    expect(bench.received('update')[0]).not.toHaveProperty('updates.0.upsert', true);
    expect(bench.received('delete')[0]).toMatchObject({
      deletes: [{ q: { _id: 'a', version: 'old' }, limit: 1 }],
    });
  });

  test('the URL cannot weaken what the guarantees rest on', async () => {
    const weak = `${bench.server.url}&w=1&readConcernLevel=available&readPreference=secondary&retryWrites=true`;
    await using other = openMongoDocuments(weak);
    bench.server.answer('find', listed([]));
    bench.server.answer('insert', applied(1));
    await other.get('c', ['a']);
    await other.write('c', [writing('a', {})]);
    expect(bench.received('find')[0]).toMatchObject({ readConcern: { level: 'local' } });
    expect(bench.received('find')[0]).not.toMatchObject({ $readPreference: { mode: 'secondary' } });
    expect(bench.received('insert')[0]).toMatchObject({ writeConcern: { w: 'majority' } });
    expect(bench.received('insert')[0]).not.toHaveProperty('txnNumber');
  });

  test('what is to be durable is read from what a majority has, all else from the primary', async () => {
    bench.server.answer('find', versions({ a: '1' }), versions({ a: '1' }), listed([]), listed([]));
    await bench.documents.declare({ name: 'c', indexes: [] });
    for (const durable of [true, false]) await bench.documents.versions('c', ['a'], { durable });
    for (const durable of [true, false])
      await bench.documents.find('c', { where: {}, order: [], limit: 1, durable });
    const levels = bench.received('find').map((command) => command['readConcern']);
    expect(levels).toEqual(['majority', 'local', 'majority', 'local'].map((level) => ({ level })));
  });

  test('the database is the one that the URL names, and else "catalog"', async () => {
    await bench.documents.get('c', ['a']);
    await using other = openMongoDocuments(bench.server.url.replace('/catalog?', '/of%20ours?'));
    await other.get('c', ['a']);
    await using unnamed = openMongoDocuments(bench.server.url.replace('/catalog?', '/?'));
    await unnamed.get('c', ['a']);
    expect(bench.received('find').map((command) => command['$db'])).toEqual([
      'catalog',
      'of ours',
      'catalog',
    ]);
  });

  test('the clock is the server’s', async () => {
    expect(await bench.documents.now()).toBe(1_234_567);
  });
});
