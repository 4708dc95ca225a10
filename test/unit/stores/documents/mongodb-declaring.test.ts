import { UUID } from 'mongodb';
import { describe, expect, test } from 'vitest';

import { PermanentError } from '../../../../src/platform/errors.ts';
import { openMongodbBench } from '../../../support/mongodb-bench.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { listed } from '../../../support/scripted-mongodb.ts';

const bench = forEachTest(openMongodbBench);

test('a collection has another origin once it was made again; a server that has none tells of none', async () => {
  const [one, other] = [new UUID(), new UUID()];
  const collection = (name: string, uuid?: UUID) => ({
    name,
    type: 'collection',
    options: {},
    info: { readOnly: false, ...(uuid && { uuid }) },
  });
  bench.server.answer(
    'listCollections',
    listed([collection('a', one), collection('b')]),
    listed([collection('a', other), collection('b')]),
  );
  const first = await bench.documents.origins?.();
  const second = await bench.documents.origins?.();
  expect([...(first?.keys() ?? [])]).toEqual(['a']);
  expect(second?.get('a')).not.toBe(first?.get('a'));
});

describe('declaring on MongoDB', () => {
  const spec = { name: 'c', indexes: [['a', '-b']] };
  const ID = { v: 2, key: { _id: 1 }, name: '_id_' };
  const OURS = { v: 2, key: { a: 1, b: -1, _id: 1 }, name: 'a,-b' };

  test('what is there is not made again, so that a reader needs no right to make it', async () => {
    bench.server.answer('listIndexes', listed([ID, OURS]), listed([ID, OURS]));
    await bench.documents.declare(spec);
    expect(bench.received('create')).toEqual([]);
    expect(bench.received('createIndexes')).toEqual([]);
  });

  test('what is missing is made, and looked at', async () => {
    bench.server.answer('listIndexes', listed([ID]), listed([ID, OURS]));
    await bench.documents.declare(spec);
    expect(bench.received('createIndexes')).toMatchObject([
      { indexes: [{ key: OURS.key, name: OURS.name }] },
    ]);
  });

  test('an index that another process makes at the same moment is no failure', async () => {
    bench.server.answer('listIndexes', { ok: 0, code: 26, errmsg: 'ns does not exist' }, listed([ID, OURS]));
    bench.server.answer('create', { ok: 0, code: 48, errmsg: 'already exists' });
    await bench.documents.declare(spec);
  });

  test.for([
    { ...OURS, sparse: true },
    { ...OURS, unique: true },
    { ...OURS, partialFilterExpression: { a: 1 } },
    { ...OURS, collation: { locale: 'ru' } },
    { ...OURS, key: { a: 1, _id: 1 } },
  ])(
    'an index of the same name that is not the same is refused, and the message says what to do: %j',
    async (other) => {
      bench.server.answer('listIndexes', listed([ID, other]), listed([ID, other]));
      const declared = bench.documents.declare(spec);
      await expect(declared).rejects.toThrow(PermanentError);
      await expect(declared).rejects.toThrow('needs an index [a, -b]');
    },
  );

  test('an index that the server refuses because of another one is refused with the same advice', async () => {
    bench.server.answer('createIndexes', { ok: 0, code: 86, errmsg: 'IndexKeySpecsConflict' });
    await expect(bench.documents.declare(spec)).rejects.toThrow(
      'Drop that one; the next start makes it again.',
    );
  });
});
