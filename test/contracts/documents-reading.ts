import { describe, expect, test } from 'vitest';

import { PermanentError } from '../../src/platform/errors.ts';
import type { Write } from '../../src/stores/documents/port.ts';
import { bodyOf, numbered, walk, writing, type Bench, type Counter } from './documents-bench.ts';

/** What `get`, `versions` and `scan` promise. */

export function describeReading({ client, collection, made }: Bench): void {
  describe('reading', () => {
    test('keys of a body are read alone, whether indexes begin with them or not', async () => {
      const documents = await client();
      const name = `${await collection(documents)}.keys`;
      await documents.declare({ name, indexes: [['n'], ['view.kept'], ['mark.kind']] });
      const body = { n: 1, view: { deep: ['ё😀', null] }, mark: { kind: 'put' }, none: null };
      const views = [{ more: {}, kept: 1 }, null, 'text', false];
      const writes = [
        writing('a', body),
        writing('b', { n: 2 }),
        ...views.map((view, at) => writing(`c${at}`, { n: 3 + at, view })),
      ];
      await documents.write(name, writes);
      const ids = writes.map(({ id }) => id);
      for (const keys of [
        [],
        ['view'],
        ['mark'],
        ['view', 'mark'],
        ['n'],
        ['n', 'view'],
        ['none', 'absent'],
      ]) {
        const part = (of: object): object =>
          Object.fromEntries(Object.entries(of).filter(([key]) => keys.includes(key)));
        const expected = writes.map(({ id, version, body: whole }) => ({ id, version, body: part(whole) }));
        const found = await documents.get(name, [...ids, 'absent'], { keys });
        expect([...found.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1))).toEqual(expected);
        const scanned: unknown[] = [];
        for await (const batch of documents.scan(name, { keys })) scanned.push(...batch);
        expect(scanned).toEqual(expected);
        for (const limit of [1, 2, 9]) {
          const page = await documents.find(name, { where: {}, order: ['n'], limit, keys });
          expect(page.documents).toEqual(expected.slice(0, limit));
        }
      }
    });

    test('pages go on behind documents of which no key is read', async () => {
      const { documents, name } = await made(['n']);
      await documents.write(
        name,
        numbered(5).map((id) => writing(id, { n: 1 })),
      );
      const query = { where: { n: 1 }, order: [], limit: 2, keys: [] };
      expect(await walk(documents, name, query)).toEqual(numbered(5));
    });

    test('what was acknowledged is durable: no failover takes it back', async () => {
      const [one, other] = [await client(), await client()];
      const name = await collection(one);
      const writes = numbered(3).map((id) => writing(id, { n: 1 }));
      expect(await one.write(name, writes)).toEqual(['done', 'done', 'done']);
      const ids = [...writes.map(({ id }) => id), 'absent'];
      const versions = new Map(writes.map(({ id, version }) => [id, version]));
      expect(await other.versions(name, ids, { durable: true })).toEqual(versions);
    });

    test('ids keep every character', async () => {
      const { documents, name } = await made();
      const ids = [
        'nul\0inside',
        '\0',
        '😀',
        '\'quoted"',
        '$where',
        '__proto__',
        'constructor',
        ' ',
        'é',
        'e\u0301',
        '/a%b',
      ];
      await documents.write(
        name,
        ids.map((id) => writing(id, { id })),
      );
      const found = await documents.get<{ id: string }>(name, ids);
      expect([...found.keys()].sort()).toEqual([...ids].sort());
      for (const id of ids) expect(found.get(id)?.body).toEqual({ id });
    });

    test('bodies keep what other formats than JSON give a meaning to, or have no place for', async () => {
      const { documents, name } = await made(['n']);
      const deep = `${'['.repeat(300)}${'{"a":'.repeat(300)}1${'}'.repeat(300)}${']'.repeat(300)}`;
      const body = JSON.parse(String.raw`{
        "$ref": "c", "$id": "x", "$db": "d", "_bsontype": "ObjectId", "__proto__": { "_bsontype": "Long", "n": 1 },
        "nested": { "$ref": "c", "$id": 1, "_bsontype": "Binary", "$numberLong": "1", "$date": 1, "toJSON": 1 },
        "numbers": [-0, 9007199254740993, 1e21, 1e400, 4294967296, 1.0, -2147483649],
        "keys": { "b": 1, "a": 2, "10": 3, "9": 4, ".": 5, "a.b": 6, "nul\u0000": 7 },
        "texts": ["\ud800", "\u2028", "\ufffe"], "_id": 1, "deep": ${deep}, "n": 1
      }`) as object;
      await documents.write(name, [writing('a', body)]);
      const text = JSON.stringify(body);
      expect(JSON.stringify(await bodyOf(documents, name, 'a'))).toBe(text);
      const { documents: found } = await documents.find(name, { where: { n: 1 }, order: [], limit: 1 });
      expect(JSON.stringify(found[0]?.body)).toBe(text);
      expect({}).not.toHaveProperty('_bsontype');
    });

    test('an id of 512 bytes is accepted; an empty, a longer and a malformed one are refused', async () => {
      const { documents, name } = await made();
      const longest = '😀'.repeat(128);
      expect(await documents.write(name, [writing(longest, {})])).toEqual(['done']);
      expect([...(await documents.get(name, [longest])).keys()]).toEqual([longest]);
      for (const id of ['', `${longest}x`, '\ud800']) {
        await expect(documents.write(name, [writing(id, {})])).rejects.toThrow(PermanentError);
        expect(await documents.get(name, [id])).toEqual(new Map());
      }
    });

    test('five thousand ids, some of them twice, are answered at once, each once', async () => {
      const { documents, name } = await made();
      const ids = numbered(5000);
      const writes = ids.map((id, n) => writing(id, { n }));
      await documents.write(name, writes);
      const asked = [...ids, 'missing', ...ids.slice(0, 100)];
      const found = await documents.get<Counter>(name, asked);
      expect(found.size).toBe(5000);
      expect(ids.map((id) => found.get(id)?.body.n)).toEqual(ids.map((_, n) => n));
      const versions = await documents.versions(name, asked);
      expect(ids.map((id) => versions.get(id))).toEqual(writes.map(({ version }) => version));
      expect(versions.size).toBe(5000);
    });

    test('a read that begins after an acknowledged write sees it', async () => {
      const [one, other] = [await client(), await client()];
      const name = await collection(one, ['n']);
      let read: string | null = null;
      for (let n = 0; n < 50; n += 1) {
        const write: Write<Counter> = writing('a', { n }, read);
        await one.write(name, [write]);
        read = write.version;
        expect(await bodyOf(other, name, 'a')).toEqual({ n });
        expect((await other.find(name, { where: { n }, order: [], limit: 1 })).documents).toHaveLength(1);
      }
    });
  });
}
