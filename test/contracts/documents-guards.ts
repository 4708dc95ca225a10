import { describe, expect, test } from 'vitest';

import { PermanentError, RetryableError } from '../../src/platform/errors.ts';
import { newVersion, type Outcome, type Removal } from '../../src/stores/documents/port.ts';
import { bodyOf, numbered, writing, type Bench, type Counter } from './documents-bench.ts';
import { storedIn } from '../support/documents.ts';

/** What guarded writes and removals promise: conflicts, repetitions, several clients. */

export function describeWriting({ made }: Bench): void {
  describe('writing', () => {
    test('a document that was expected to exist and is absent is a conflict, and stays absent', async () => {
      const { documents, name } = await made();
      expect(await documents.write(name, [writing('a', { n: 1 }, newVersion())])).toEqual(['conflict']);
      expect(await storedIn(documents, name)).toEqual([]);
    });

    test('a write whose signal is aborted sends nothing', async () => {
      const { documents, name } = await made();
      const signal = AbortSignal.abort();
      await expect(documents.write(name, [writing('a', { n: 1 })], { signal })).rejects.toThrow(
        RetryableError,
      );
      expect(await storedIn(documents, name)).toEqual([]);
    });

    test('conflicts of some documents leave the others written, and outcomes keep the order of the writes', async () => {
      const { documents, name } = await made();
      const held = ['e', 'b', 'h'];
      await documents.write(
        name,
        held.map((id) => writing(id, { n: 0 })),
      );
      const ids = ['h', 'a', 'g', 'b', 'f', 'c', 'e', 'd'];
      const outcomes = await documents.write(
        name,
        ids.map((id) => writing(id, { n: 1 })),
      );
      expect(outcomes).toEqual(ids.map((id): Outcome => (held.includes(id) ? 'conflict' : 'done')));
      const found = await documents.get<Counter>(name, ids);
      expect(ids.map((id) => found.get(id)?.body.n)).toEqual(ids.map((id) => (held.includes(id) ? 0 : 1)));
    });

    test('two thousand documents are written in one call, created and replaced alike', async () => {
      const { documents, name } = await made();
      const created = numbered(2000).map((id, n) => writing(id, { n }));
      expect(new Set(await documents.write(name, created))).toEqual(new Set(['done']));
      const replaced = created.map(({ id, version }, at) =>
        writing(id, { n: at + 1 }, at % 2 ? version : newVersion()),
      );
      const outcomes = await documents.write(name, replaced);
      expect(outcomes).toEqual(replaced.map((_, at): Outcome => (at % 2 ? 'done' : 'conflict')));
      expect((await storedIn<Counter>(documents, name)).map(({ body }) => body.n)).toEqual(
        replaced.map((_, at) => (at % 2 ? at + 1 : at)),
      );
    });

    test('no writes have no outcomes', async () => {
      const { documents, name } = await made();
      expect(await documents.write(name, [])).toEqual([]);
      expect(await documents.remove(name, [])).toEqual([]);
    });

    test('an id that is twice in one call is refused, and nothing is written', async () => {
      const { documents, name } = await made();
      const twice = [writing('b', {}), writing('a', {}), writing('b', {})];
      await expect(documents.write(name, twice)).rejects.toThrow(PermanentError);
      expect(await storedIn(documents, name)).toEqual([]);
    });

    test('a body that is no object is refused', async () => {
      const { documents, name } = await made();
      for (const body of [null, 1, 'text', []]) {
        await expect(documents.write(name, [writing('a', body)])).rejects.toThrow(PermanentError);
      }
    });
  });
}

export function describeRemoving({ client, collection, made }: Bench): void {
  describe('removing', () => {
    test('removing what does not exist is done', async () => {
      const { documents, name } = await made();
      expect(await documents.remove(name, [{ id: 'a', read: newVersion() }])).toEqual(['done']);
    });

    test('outcomes keep the order of the removals', async () => {
      const { documents, name } = await made();
      const writes = ['c', 'a', 'd', 'b'].map((id) => writing(id, { n: 1 }));
      await documents.write(name, writes);
      const removals = writes.map(({ id, version }): Removal => ({
        id,
        read: id < 'c' ? version : newVersion(),
      }));
      expect(await documents.remove(name, removals)).toEqual(['conflict', 'done', 'conflict', 'done']);
      expect((await storedIn(documents, name)).map(({ id }) => id)).toEqual(['c', 'd']);
    });

    test('a document that was removed and made again is another one: no old version fits it', async () => {
      const [one, other] = [await client(), await client()];
      const name = await collection(one);
      const first = writing('a', { n: 1 });
      await one.write(name, [first]);
      await one.remove(name, [{ id: 'a', read: first.version }]);
      await one.write(name, [writing('a', { n: 1 })]);
      expect(await other.write(name, [writing('a', { n: 9 }, first.version)])).toEqual(['conflict']);
      expect(await other.remove(name, [{ id: 'a', read: first.version }])).toEqual(['conflict']);
      expect(await bodyOf(one, name, 'a')).toEqual({ n: 1 });
    });
  });
}

export function describeLostAnswers({ client, interrupted, collection }: Bench): void {
  /** An adapter may repeat by itself, or say that the call may be repeated. */
  async function lose(call: Promise<readonly Outcome[]>): Promise<void> {
    const result: unknown = await call.catch((thrown: unknown) => thrown);
    expect(Array.isArray(result) || result).toSatisfy(
      (lost) => lost === true || lost instanceof RetryableError,
    );
  }

  describe('a lost answer', () => {
    test('writes that are repeated after it are done, created and replaced alike', async () => {
      const [steady, documents] = [await client(), await interrupted()];
      const name = await collection(steady);
      const held = writing('held', { n: 0 });
      await steady.write(name, [held]);
      const writes = [writing('new', { n: 1 }), writing('held', { n: 1 }, held.version)];
      await lose(documents.write(name, writes));
      expect(await bodyOf(steady, name, 'new')).toEqual({ n: 1 });
      expect(await documents.write(name, writes)).toEqual(['done', 'done']);
      expect((await storedIn<Counter>(steady, name)).map(({ body }) => body.n)).toEqual([1, 1]);
    });

    test('a repeated write whose document somebody else has written since is a conflict', async () => {
      const [steady, documents] = [await client(), await interrupted()];
      const name = await collection(steady);
      const writes = [writing('a', { n: 1 }), writing('b', { n: 1 })];
      await lose(documents.write(name, writes));
      await steady.write(name, [writing('a', { n: 2 }, writes[0]?.version)]);
      expect(await documents.write(name, writes)).toEqual(['conflict', 'done']);
      expect(await bodyOf(steady, name, 'a')).toEqual({ n: 2 });
    });

    test('a conflict is a conflict when it is repeated', async () => {
      const [steady, documents] = [await client(), await interrupted()];
      const name = await collection(steady);
      await steady.write(name, [writing('a', { n: 1 })]);
      const writes = [writing('a', { n: 2 })];
      await lose(documents.write(name, writes));
      expect(await documents.write(name, writes)).toEqual(['conflict']);
    });

    test('a removal that is repeated after it is done', async () => {
      const [steady, documents] = [await client(), await interrupted()];
      const name = await collection(steady);
      const write = writing('a', { n: 1 });
      await steady.write(name, [write]);
      const removals = [{ id: 'a', read: write.version }];
      await lose(documents.remove(name, removals));
      expect(await steady.get(name, ['a'])).toEqual(new Map());
      expect(await documents.remove(name, removals)).toEqual(['done']);
    });
  });
}

export function describeConcurrency({ clients, collection }: Bench): void {
  describe('several clients', () => {
    test('of several clients that create the same documents at once, each document has one creator', async () => {
      const several = await clients(3);
      const name = await collection(several[0]);
      const ids = numbered(700);
      const outcomes = await Promise.all(
        several.map((documents, n) =>
          documents.write(
            name,
            ids.map((id) => writing(id, { n })),
          ),
        ),
      );
      const found = await several[0].get<Counter>(name, ids);
      for (const [at, id] of ids.entries()) {
        const creators = outcomes.flatMap((of, n) => (of[at] === 'done' ? [n] : []));
        expect(creators).toEqual([found.get(id)?.body.n]);
      }
    });

    test('collections are declared by several clients at once', async () => {
      const several = await clients(3);
      const name = await collection(several[0]);
      await Promise.all(
        several.map((documents) => documents.declare({ name: `${name}.x`, indexes: [['a'], ['-b']] })),
      );
      expect(await several[0].write(`${name}.x`, [writing('a', {})])).toEqual(['done']);
    });
  });
}
