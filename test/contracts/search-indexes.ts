import { describe, expect, test } from 'vitest';

import { PermanentError, RetryableError } from '../../src/platform/errors.ts';
import { contents, entry, hits, ids, type Bench } from './search-bench.ts';

const EVERYTHING = { filter: {}, exclude: [], offset: 0, limit: 50 };
const ALPHA = entry('a', { titles: ['Alpha'] });

/** Indexes that come and go, and an engine that fails. */
export function describeIndexes({ client, freshClient, cut, index, unused, filled }: Bench): void {
  describe('indexes', () => {
    test('an index is declared any number of times, by several clients at once, and keeps its entries', async () => {
      const several = [await freshClient(), await freshClient(), await freshClient()] as const;
      const name = unused();
      await Promise.all(several.map((search) => search.declare(name)));
      await several[0].put(name, [ALPHA]);
      await Promise.all(several.map((search) => search.declare(name)));
      expect(await ids(several[1], name, 'alpha')).toEqual(['a']);
    });

    test('indexes are listed in order, and know nothing of each other', async () => {
      const search = await client();
      const [one, other] = [
        await index(search, ALPHA),
        await index(search, entry('b', { titles: ['Alpha'] })),
      ];
      const listed = await search.indexes();
      expect(listed).toEqual(expect.arrayContaining([one, other]));
      expect(listed).toEqual([...listed].sort());
      expect(await ids(search, one, 'alpha')).toEqual(['a']);
      await search.remove(other, ['a']);
      await search.drop(other);
      expect(await search.indexes()).not.toContain(other);
      expect(await ids(search, one, 'alpha')).toEqual(['a']);
    });

    test('an index is dropped by the client that has put and removed many entries of it', async () => {
      const many = Array.from({ length: 64 }, (_, number) =>
        entry(`id${number}`, { titles: [`Many ${number}`] }),
      );
      const { search, name } = await filled(...many);
      await search.remove(
        name,
        many.map(({ id }) => id),
      );
      await search.drop(name);
      expect(await search.indexes()).not.toContain(name);
    });

    test('an index that somebody else dropped is missed by queries and puts, and its contents are empty', async () => {
      const [search, other] = [await client(), await client()];
      const name = await index(search, ALPHA);
      expect(await ids(search, name, 'alpha')).toEqual(['a']);
      await other.drop(name);
      await other.drop(name);
      expect(await contents(search, name)).toEqual(new Map());
      await expect(hits(search, name, 'alpha')).rejects.toThrow(RetryableError);
      await expect(search.put(name, [ALPHA])).rejects.toThrow(RetryableError);
      expect(await search.remove(name, ['a'])).toEqual({ outcome: 'done' });
    });

    test('seals are known to every client, are no entries, and are lost with the index', async () => {
      const [search, other] = [await client(), await client()];
      const name = await index(search, ALPHA);
      expect(await other.seals(name)).toEqual([]);
      await search.seal(name, 's-2', []);
      await search.seal(name, 's-1', []);
      await search.seal(name, 's-1', []);
      expect(await other.seals(name)).toEqual(['s-1', 's-2']);
      for (const q of [
        'alpha',
        's',
        'seal',
        's 1',
        '-',
        'is--seal-s-1',
        'seal alpha one two three four five six seven eight nine',
      ]) {
        const { ids: found, seals } = await other.query(name, { ...EVERYTHING, q });
        expect({ q, found, seals }).toEqual({ q, found: q === 'alpha' ? ['a'] : [], seals: ['s-1', 's-2'] });
      }
      expect(await hits(other, name, 'seal', { filter: { kind: 'seal' } })).toMatchObject({ total: 0 });
      expect([...(await contents(other, name)).keys()]).toEqual(['a']);
      await search.remove(name, ['s-1', 's-2', '-seal-s-1x']);
      await search.seal(name, 's-3', ['s-1', 's-2', 's-0']);
      expect(await other.seals(name)).toEqual(['s-3']);
      await other.drop(name);
      expect(await search.seals(name)).toBeNull();
      await expect(search.seal(name, 's-4', [])).rejects.toThrow(RetryableError);
      await search.declare(name);
      expect(await search.seals(name)).toEqual([]);
      await expect(search.seal(name, 'S 5', [])).rejects.toThrow(PermanentError);
    });

    test('a name that is no name of an index is refused', async () => {
      const search = await client();
      for (const name of ['', 'Upper', '1', 'a b', 'a"b', 'a;DROP TABLE x', 'a'.repeat(65), 'имя']) {
        await expect(search.declare(name)).rejects.toThrow(PermanentError);
        await expect(search.put(name, [ALPHA])).rejects.toThrow(PermanentError);
        await expect(search.remove(name, ['a'])).rejects.toThrow(PermanentError);
        await expect(hits(search, name, 'a')).rejects.toThrow(PermanentError);
        await expect(contents(search, name)).rejects.toThrow(PermanentError);
        await expect(search.drop(name)).rejects.toThrow(PermanentError);
      }
    });
  });

  describe('failing', () => {
    test('a healthy engine answers a check', async () => {
      const search = await freshClient();
      await expect(search.check()).resolves.toBeUndefined();
    });

    test('changes that cannot be made are refused as retryable, and can be made after that', async () => {
      const { search, name } = await filled(ALPHA);
      const broken = await cut();
      try {
        // All at once: each is tried for as long as the client has patience.
        await Promise.all([
          expect(search.put(name, [entry('b')])).rejects.toThrow(RetryableError),
          expect(search.remove(name, ['a'])).rejects.toThrow(RetryableError),
          expect(search.drop(name)).rejects.toThrow(RetryableError),
        ]);
      } finally {
        await broken.heal();
      }
      expect(await search.put(name, [entry('b', { titles: ['Alpha'] })])).toEqual({ outcome: 'done' });
      expect(await ids(search, name, 'alpha')).toEqual(['a', 'b']);
    });

    test('a client that was disposed of refuses everything, and can be disposed of again', async () => {
      const search = await freshClient();
      const name = await index(search, ALPHA);
      await search[Symbol.asyncDispose]();
      await search[Symbol.asyncDispose]();
      await expect(hits(search, name, 'alpha')).rejects.toThrow(PermanentError);
      await expect(search.put(name, [ALPHA])).rejects.toThrow(PermanentError);
      await expect(search.check()).rejects.toThrow(PermanentError);
    });

    test('disposing waits for the calls in hand', async () => {
      const search = await freshClient();
      const name = await index(search);
      const entries = Array.from({ length: 500 }, (_, at) => entry(`e-${at}`, { titles: ['Alpha'] }));
      const put = search.put(name, entries);
      await search[Symbol.asyncDispose]();
      expect(await put).toEqual({ outcome: 'done' });
      expect((await hits(await freshClient(), name, 'alpha')).total).toBe(500);
    });
  });
}
