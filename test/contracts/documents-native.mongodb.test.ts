import { MongoClient } from 'mongodb';
import { afterAll, describe, expect, inject, test } from 'vitest';

import { openMongoDocuments } from '../../src/stores/documents/mongodb/documents.ts';
import { writing } from './documents-bench.ts';

/** Native keys that are read, and taken out, alone: in documents of this release, and in those of an earlier one. */

const url = inject('services')['mongodb']?.url ?? null;
const address = addressOf(url ?? 'mongodb://none/');

/** A database of its own. */
function addressOf(service: string): string {
  const found = new URL(service);
  found.pathname = `/native-${process.pid}`;
  found.searchParams.set('directConnection', 'true');
  return found.href;
}

describe.runIf(url !== null)('native keys on a MongoDB server', () => {
  afterAll(async () => {
    await using client = new MongoClient(address);
    await client.db().dropDatabase();
  });

  test('keys of documents that an earlier release has written are read alone, too', async () => {
    await using documents = openMongoDocuments(address);
    const name = `earlier-${process.pid}@1`;
    await documents.declare({ name, indexes: [], native: ['view'] });
    await documents.write(name, [
      writing('a', { n: 1, view: { kept: 1 } }),
      writing('b', { n: 2, view: { kept: 2, 'a.b': 3 } }),
    ]);
    await using client = new MongoClient(address);
    await client
      .db()
      .collection(name)
      .updateMany({}, { $unset: { whole: 1 } });
    const keys = ['view'];
    const bodies = [{ view: { kept: 1 } }, { view: { kept: 2, 'a.b': 3 } }];
    const found = await documents.get(name, ['a', 'b'], { keys });
    expect([...found.values()].map(({ body }) => body)).toEqual(bodies);
    for await (const batch of documents.scan(name, { keys }))
      expect(batch.map(({ body }) => body)).toEqual(bodies);
  });

  test('a key that is taken out alone leaves what stands beside it, also where the text of the body has the key, too', async () => {
    await using documents = openMongoDocuments(address);
    const name = `marked-${process.pid}@1`;
    await documents.declare({ name, indexes: [['mark.kind']], native: ['view'], beside: ['mark'] });
    const view = { kept: 1 };
    const marks = [{ kind: 'put' }, { kind: 'put', 'a.b': 3 }];
    const bodies = marks.map((mark) => ({ n: 1, view, mark }));
    const written = bodies.map((body, at) => writing(`id-${at}`, body));
    await documents.write(name, written);
    const taken = written.map(({ id, version }) => ({
      ...writing(id, { n: 1, view }, version),
      only: 'mark',
    }));
    expect(await documents.write(name, taken)).toEqual(['done', 'done']);
    await using client = new MongoClient(address);
    for await (const { _id, body, version } of client.db().collection(name).find()) {
      const at = Number(String(_id).slice(3));
      expect(version).toBe(taken[at]?.version);
      // Only the one whose text had no value of the key was left as it was.
      expect(JSON.parse(String(body))).toEqual(
        at === 0 ? { n: 1, view: null, mark: null } : { n: 1, view: null },
      );
    }
    for (const read of [undefined, ['n', 'view', 'mark'], ['view', 'mark']]) {
      const found = await documents.get(name, ['id-0', 'id-1'], read && { keys: read });
      const whole = read?.includes('n') === false ? { view } : { n: 1, view };
      expect([...found.values()].map(({ body }) => body)).toEqual([whole, whole]);
    }
    expect(await documents.write(name, taken)).toEqual(['done', 'done']);
  });

  test('a collection that an earlier release has made keeps its marks where they are, and they are found', async () => {
    await using earlier = openMongoDocuments(address);
    await using documents = openMongoDocuments(address);
    const name = `unmarked-${process.pid}@1`;
    const indexes = [['mark.kind']];
    await earlier.declare({ name, indexes });
    const first = writing('a', { n: 1, mark: { kind: 'put' } });
    await earlier.write(name, [first]);
    await documents.declare({ name, indexes, beside: ['mark'] });
    await documents.write(name, [writing('b', { n: 2, mark: { kind: 'put' } })]);
    const marked = async () =>
      (await documents.find(name, { where: { 'mark.kind': 'put' }, order: [], limit: 9 })).documents.map(
        ({ id }) => id,
      );
    expect(await marked()).toEqual(['a', 'b']);
    const taken = { ...writing('a', { n: 1 }, first.version), only: 'mark' };
    expect(await documents.write(name, [taken])).toEqual(['done']);
    expect(await marked()).toEqual(['b']);
    expect((await earlier.get(name, ['a'])).get('a')?.body).toEqual({ n: 1 });
  });
});
