import { describe, expect, test } from 'vitest';

import { entryDigest, type SearchEntry } from '../../src/stores/search/port.ts';
import { contents, entry, hits, ids, many, patiently, walk, type Bench } from './search-bench.ts';

const DONE = { outcome: 'done' };

/** Putting and removing entries, and what verification sees of it. */
export function describeChanges({ client, index, filled }: Bench): void {
  describe('changes', () => {
    test('what is put is searchable by every client once it is acknowledged', async () => {
      const [writer, reader] = [await client(), await client()];
      const name = await index(writer);
      for (let round = 0; round < 20; round += 1) {
        expect(await ids(reader, name, 'alpha')).toHaveLength(round);
        expect(await writer.put(name, [entry(`a-${round}`, { titles: ['Alpha'] })])).toEqual(DONE);
        expect(await ids(reader, name, 'alpha')).toHaveLength(round + 1);
      }
    });

    test('an entry that is put again is found by its new words alone', async () => {
      const { search, name } = await filled(entry('a', { titles: ['Докер'], texts: ['ships'], kind: 'bot' }));
      await search.put(name, [entry('a', { titles: ['Gardening'], texts: ['flowers'] })]);
      for (const q of ['докер', 'docker', 'ships', 'dokcer']) expect(await ids(search, name, q)).toEqual([]);
      for (const q of ['gardening', 'flowers', 'gradening'])
        expect(await ids(search, name, q)).toEqual(['a']);
      expect(await ids(search, name, 'gardening', { filter: { kind: 'bot' } })).toEqual([]);
    });

    test('a change of the score, the kind or the category alone takes effect', async () => {
      const titles = ['Alpha'];
      const { search, name } = await filled(
        entry('a', { titles, score: 2 }),
        entry('b', { titles, score: 1 }),
      );
      expect(await ids(search, name, 'alpha')).toEqual(['a', 'b']);
      const moved = entry('b', { titles, score: 3, kind: 'bot', category: 'x' });
      await search.put(name, [moved]);
      expect(await ids(search, name, 'alpha')).toEqual(['b', 'a']);
      expect(await ids(search, name, 'alpha', { filter: { kind: 'bot', categories: ['x'] } })).toEqual(['b']);
      expect((await contents(search, name)).get('b')).toBe(entryDigest(moved));
    });

    test('an entry without a word, whose names are signs, is found as it is now', async () => {
      const { search, name } = await filled();
      const sign = (id: string, title: string, kind: 'channel' | 'bot' = 'channel') =>
        entry(id, { username: '__', titles: [title], kind });
      const bots = { filter: { kind: 'bot' } } as const;
      expect(await ids(search, name, '***')).toEqual([]);
      await search.put(name, [sign('star', '***')]);
      expect(await ids(search, name, '***')).toEqual(['star']);
      expect(await ids(search, name, '***', bots)).toEqual([]);
      await search.put(name, [sign('star', '***', 'bot')]);
      expect(await ids(search, name, '***', bots)).toEqual(['star']);
      await search.put(name, [sign('star', '###')]);
      expect(await ids(search, name, '***')).toEqual([]);
      await search.remove(name, ['star']);
      expect(await hits(search, name, '###')).toEqual({ ids: [], total: 0, totalIsExact: true });
      await search.put(name, [sign('hash', '+++')]);
      expect(await ids(search, name, '###')).toEqual([]);
      expect(await ids(search, name, '+++')).toEqual(['hash']);
    });

    test('a change of the subtype alone takes effect', async () => {
      const titles = ['Alpha'];
      const group = entry('b', { titles, subtype: 'group' });
      const { search, name } = await filled(entry('a', { titles, subtype: 'broadcast' }), group);
      expect(await ids(search, name, 'alpha чат')).toEqual(['b', 'a']);
      const moved = entry('a', { titles, subtype: 'group' });
      await search.put(name, [moved]);
      expect(await ids(search, name, 'alpha чат')).toEqual(['a', 'b']);
      expect((await contents(search, name)).get('a')).toBe(entryDigest(moved));
    });

    test('nothing to put and nothing to remove is done', async () => {
      const { search, name } = await filled();
      expect(await search.put(name, [])).toEqual(DONE);
      expect(await search.remove(name, [])).toEqual(DONE);
    });

    test.for<[string, Partial<SearchEntry>]>([
      ['an id that is no slug', { id: 'No slug!' }],
      ['a score that is no number', { score: Number.NaN }],
      ['text that is no Unicode', { texts: ['\uD800'] }],
      ['too many names', { names: ['a', 'b', 'c', 'd'] }],
      ['a text twice', { texts: ['one', 'one'] }],
    ])('a batch with %s fails with the reason, and the rest can be put without it', async ([, bad]) => {
      const { search, name } = await filled();
      const sound = entry('good', { titles: ['Alpha'] });
      const applied = await search.put(name, [sound, { ...entry('bad'), ...bad }]);
      expect(applied).toMatchObject({
        outcome: 'failed',
        reason: expect.stringContaining('refused') as string,
      });
      expect(await search.put(name, [sound])).toEqual(DONE);
      expect(await ids(search, name, 'alpha')).toEqual(['good']);
    });

    test('several clients that put and remove at once leave what each acknowledged', async () => {
      const several = [await client(), await client(), await client()] as const;
      const name = await index(several[0]);
      await Promise.all(
        several.map(async (search, at) => {
          const own = Array.from({ length: 150 }, (_, n) => entry(`c${at}-${n}`, { titles: ['Alpha'] }));
          const gone = own.slice(0, 50).map(({ id }) => id);
          expect(await patiently(() => search.put(name, own))).toEqual(DONE);
          expect(
            await patiently(() => search.put(name, [entry('shared', { titles: ['Alpha'], score: at })])),
          ).toEqual(DONE);
          expect(await patiently(() => search.remove(name, gone))).toEqual(DONE);
        }),
      );
      const found = await walk(several[0], name, 'alpha');
      expect(found).toHaveLength(301);
      expect([...(await contents(several[1], name)).keys()]).toEqual(found.toSorted());
    });
  });

  describe('contents', () => {
    test('they are the ids in order with the digests of what was put last', async () => {
      const entries = many(2600);
      const { search, name } = await filled(...entries);
      const changed = entries.slice(0, 50).map((one) => ({ ...one, score: 100 }));
      await search.put(name, changed);
      await search.remove(name, [entries[60]?.id ?? '']);
      const expected = new Map(entries.map((one) => [one.id, entryDigest(one)]));
      for (const one of changed) expected.set(one.id, entryDigest(one));
      expected.delete(entries[60]?.id ?? '');
      const found = await contents(search, name);
      expect(found).toEqual(expected);
      expect([...found.keys()]).toEqual([...found.keys()].toSorted());
    });

    test('equal entries have equal digests, whatever the order of their fields, and others do not', () => {
      const one = entry('a', { titles: ['Alpha'] });
      expect(
        entryDigest(Object.fromEntries(Object.entries(one).toReversed()) as unknown as SearchEntry),
      ).toBe(entryDigest(one));
      const others = [{ score: 51 }, { kind: 'bot' }, { subtype: 'group' }, { category: 'x' }, { exact: [] }];
      const digests = others.map((other) => entryDigest({ ...one, ...other }));
      expect(new Set([entryDigest(one), ...digests]).size).toBe(others.length + 1);
    });
  });
}
