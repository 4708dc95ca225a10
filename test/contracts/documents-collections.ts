import { describe, expect, test } from 'vitest';

import { PermanentError, RetryableError } from '../../src/platform/errors.ts';
import { newVersion } from '../../src/stores/documents/port.ts';
import { numbered, writing, type Bench } from './documents-bench.ts';
import { storedIn } from '../support/documents.ts';

/** What collections promise, and what failing means. */

export function describeCollections({ client, collection, made }: Bench): void {
  describe('collections', () => {
    test('declaring a collection again keeps its documents, and adds an index that is new', async () => {
      const [one, other] = [await client(), await client()];
      const name = await collection(one, ['view.a']);
      await one.write(name, [writing('x', { view: { a: 1, b: 2 } })]);
      const byB = { where: { 'view.b': 2 }, order: [], limit: 10 };
      await expect(other.find(name, byB)).rejects.toThrow(PermanentError);
      await one.declare({ name, indexes: [['view.b']] });
      expect((await other.find(name, byB)).documents.map(({ id }) => id)).toEqual(['x']);
      const byA = { where: { 'view.a': 1 }, order: [], limit: 10 };
      expect((await other.find(name, byA)).documents).toHaveLength(1);
    });

    test('a collection that does not exist reads as empty', async () => {
      const documents = await client();
      const name = `${await collection(documents)}.none`;
      expect(await documents.get(name, ['a'])).toEqual(new Map());
      expect(await documents.versions(name, ['a'])).toEqual(new Map());
      expect(await documents.find(name, { where: { a: 1 }, order: [], limit: 1 })).toEqual({
        documents: [],
        next: null,
      });
      expect(await documents.count(name, { where: {}, by: [] })).toEqual([]);
      expect(await storedIn(documents, name)).toEqual([]);
      expect(await documents.collections()).not.toContain(name);
    });

    test('writing to a collection that was not declared is refused for good', async () => {
      const documents = await client();
      const name = `${await collection(documents)}.none`;
      await expect(documents.write(name, [writing('a', {})])).rejects.toThrow(PermanentError);
      await expect(documents.remove(name, [{ id: 'a', read: newVersion() }])).rejects.toThrow(PermanentError);
    });

    test('collections are listed by name', async () => {
      const { documents, name } = await made();
      for (const suffix of ['.b', '.a', '.c-d'])
        await documents.declare({ name: `${name}${suffix}`, indexes: [] });
      const ours = (await documents.collections()).filter((other) => other.startsWith(name));
      expect(ours).toEqual([name, `${name}.a`, `${name}.b`, `${name}.c-d`]);
    });

    test('a dropped collection is gone with its documents and indexes, and may be declared again', async () => {
      const [one, other] = [await client(), await client()];
      const name = await collection(one, ['n']);
      await one.write(name, [writing('a', { n: 1 })]);
      expect((await other.get(name, ['a'])).size).toBe(1);
      await one.drop(name);
      await one.drop(name);
      expect(await other.collections()).not.toContain(name);
      expect((await other.get(name, ['a'])).size).toBe(0);
      await other.declare({ name, indexes: [] });
      expect(await storedIn(one, name)).toEqual([]);
      await expect(one.find(name, { where: { n: 1 }, order: [], limit: 1 })).rejects.toThrow(PermanentError);
    });

    test('names and paths that are none are refused', async () => {
      const { documents, name } = await made();
      for (const bad of ['', 'A', '1a', 'a b', 'a"b', 'a$', 'a'.repeat(65)]) {
        await expect(documents.declare({ name: bad, indexes: [] })).rejects.toThrow(PermanentError);
        await expect(documents.get(bad, ['a'])).rejects.toThrow(PermanentError);
      }
      const deep = Array.from({ length: 21 }, () => 'a').join('.');
      for (const bad of ['', '-', '.a', 'a.', 'a..b', '$where', 'a"', "a'", 'a.$b', '--a', deep]) {
        await expect(documents.declare({ name, indexes: [[bad]] })).rejects.toThrow(PermanentError);
        await expect(documents.find(name, { where: { [bad]: 1 }, order: [], limit: 1 })).rejects.toThrow(
          PermanentError,
        );
        await expect(documents.count(name, { where: {}, by: [bad] })).rejects.toThrow(PermanentError);
      }
    });

    test('a scan gives every document once, by the bytes of its id', async () => {
      const { documents, name } = await made();
      const ids = [...numbered(1200), 'Z', 'a', 'é', '\uffee', '😀', 'id-00000\0', 'id-00000a'];
      await documents.write(
        name,
        ids.map((id, n) => writing(id, { n })),
      );
      const sorted = ids.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      expect((await storedIn(documents, name)).map(({ id }) => id)).toEqual(sorted);
    });

    test('a scan sees each document that was there throughout exactly once while others are written', async () => {
      const [one, other] = [await client(), await client()];
      const name = await collection(one);
      const kept = numbered(1000);
      const writes = [...kept, ...kept.map((id) => `${id}-gone`)].map((id, n) => writing(id, { n }));
      await one.write(name, writes);
      const seen: string[] = [];
      let round = 0;
      for await (const batch of one.scan(name)) {
        seen.push(...batch.map(({ id }) => id));
        const gone = writes.slice(1000 + round * 100, 1100 + round * 100);
        await other.remove(
          name,
          gone.map(({ id, version }) => ({ id, read: version })),
        );
        await other.write(name, [writing(`a${round}`, { n: 0 }), writing(`z${round}`, { n: 0 })]);
        round += 1;
      }
      expect(round).toBeGreaterThan(1);
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen.filter((id) => kept.includes(id))).toEqual(kept);
    });

    test('the clock of the store tells Unix milliseconds', async () => {
      const documents = await client();
      const minute = 60_000;
      expect(Math.abs((await documents.now()) - Date.now())).toBeLessThan(minute);
    });
  });
}

export function describeFailing({ cut, made }: Bench): void {
  describe('failing', () => {
    test('a store that takes no writes is a retryable failure, and the same writes succeed once it is healed', async () => {
      const { documents, name } = await made();
      const held = writing('held', { n: 1 });
      await documents.write(name, [held]);
      const writes = [writing('a', { n: 1 })];
      const outage = await cut();
      try {
        await expect(documents.write(name, writes)).rejects.toThrow(RetryableError);
        await expect(documents.remove(name, [{ id: 'held', read: held.version }])).rejects.toThrow(
          RetryableError,
        );
      } finally {
        await outage.heal();
      }
      expect(await documents.write(name, writes)).toEqual(['done']);
      expect(await documents.remove(name, [{ id: 'held', read: held.version }])).toEqual(['done']);
      expect((await storedIn(documents, name)).map(({ id }) => id)).toEqual(['a']);
    });

    test('a client that was disposed of refuses every call for good', async () => {
      const { documents, name } = await made();
      await documents[Symbol.asyncDispose]();
      await documents[Symbol.asyncDispose]();
      const calls = [
        () => documents.declare({ name, indexes: [] }),
        () => documents.get(name, ['a']),
        () => documents.versions(name, ['a']),
        () => documents.write(name, [writing('a', {})]),
        () => documents.remove(name, [{ id: 'a', read: newVersion() }]),
        () => documents.find(name, { where: {}, order: [], limit: 1 }),
        () => documents.count(name, { where: {}, by: [] }),
        () => storedIn(documents, name),
        () => documents.collections(),
        () => documents.drop(name),
        () => documents.now(),
      ];
      for (const call of calls) await expect(call()).rejects.toThrow(PermanentError);
    });
  });
}
