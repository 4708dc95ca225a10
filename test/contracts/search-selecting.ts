import { describe, expect, test } from 'vitest';

import { PermanentError } from '../../src/platform/errors.ts';
import { entry, hits, ids, many, walk, type Bench } from './search-bench.ts';

const KINDS = ['channel', 'bot', 'miniapp'];

/** Filters, exclusions, totals and pages. */
export function describeSelecting({ filled }: Bench): void {
  describe('filters', () => {
    const entries = [
      entry('a', { titles: ['Alpha'], kind: 'bot', category: 'x' }),
      entry('b', { titles: ['Alpha'], kind: 'channel', category: 'y' }),
      entry('c', { titles: ['Alpha'], kind: 'channel', category: null }),
    ];

    test('a kind and a list of categories select from what matches', async () => {
      const { search, name } = await filled(...entries);
      const select = async (filter: object) => await hits(search, name, 'alpha', { filter });
      expect(await select({})).toEqual({ ids: ['a', 'b', 'c'], total: 3, totalIsExact: true });
      expect(await select({ kind: 'channel' })).toMatchObject({ ids: ['b', 'c'], total: 2 });
      expect(await select({ categories: ['x', 'y', 'z'] })).toMatchObject({ ids: ['a', 'b'], total: 2 });
      expect(await select({ kind: 'channel', categories: ['x', 'y'] })).toMatchObject({
        ids: ['b'],
        total: 1,
      });
      expect(await select({ categories: [] })).toMatchObject({ ids: [], total: 0 });
    });

    test.for([
      'x" OR kind="bot',
      "x' OR 1=1",
      String.raw`\"`,
      'x\ny',
      ')',
      '_geoRadius(1,1,1)',
      '',
      '%',
      'null',
      '[]',
      'X',
    ])('the value %j is a value like any other', async (value) => {
      const { search, name } = await filled(
        ...entries,
        entry('odd', { titles: ['Alpha'], category: value, kind: value }),
      );
      expect(await ids(search, name, 'alpha', { filter: { categories: [value] } })).toEqual(['odd']);
      expect(await ids(search, name, 'alpha', { filter: { kind: value } })).toEqual(['odd']);
      expect(await ids(search, name, 'alpha', { filter: { kind: 'bot', categories: [value] } })).toEqual([]);
    });

    test.for(['common', 'comnon', 'nmae', 'o'])(
      'the totals of all kinds add up to the total of %s',
      async (q) => {
        const { search, name } = await filled(
          ...many(60, (at) => ({
            kind: KINDS[at % 3] as string,
            ...(at < 15 ? { titles: ['Comnon Nmae'] } : {}),
          })),
        );
        const totals = await Promise.all(
          KINDS.map(async (kind) => (await hits(search, name, q, { filter: { kind } })).total),
        );
        const sum = totals.reduce((sofar, total) => sofar + total, 0);
        expect((await hits(search, name, q)).total).toBe(sum);
      },
    );
  });

  describe('exclusions', () => {
    test('an excluded entry is neither answered nor counted, and brings no others in', async () => {
      const { search, name } = await filled(
        entry('exact', { titles: ['Alpha'] }),
        entry('word', { titles: ['Alpha beta'] }),
        entry('slip', { titles: ['Alhpa'] }),
        entry('beta'),
      );
      const all = await hits(search, name, 'alpha');
      for (const excluded of all.ids) {
        const rest = await hits(search, name, 'alpha', { exclude: [excluded, 'nobody'] });
        expect(rest).toEqual({ ...all, ids: all.ids.filter((id) => id !== excluded), total: all.total - 1 });
      }
      expect(await hits(search, name, 'alpha', { exclude: all.ids })).toMatchObject({ ids: [], total: 0 });
    });

    test('thousands of exclusions leave every place reachable', async () => {
      const entries = many(3100);
      const { search, name } = await filled(...entries);
      const exclude = entries.map(({ id }) => id).filter((_, at) => at % 2 === 0);
      const found = await walk(search, name, 'common', { exclude });
      expect(found).toHaveLength(1550);
      expect(found.some((id) => exclude.includes(id))).toBe(false);
    });
  });

  describe('pages', () => {
    test('2,500 matches are counted exactly; of more, 2,500 places are reached in order, and the total says so', async () => {
      const entries = many(2501);
      const { search, name } = await filled(...entries.slice(1));
      expect(await hits(search, name, 'common')).toMatchObject({ total: 2500, totalIsExact: true });
      await search.put(name, entries.slice(0, 1));
      expect(await hits(search, name, 'common')).toMatchObject({ total: 2500, totalIsExact: false });
      const inOrder = entries.toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
      expect(await walk(search, name, 'common')).toEqual(inOrder.slice(0, 2500).map(({ id }) => id));
      expect(await hits(search, name, 'common', { offset: 2500 })).toMatchObject({ ids: [], total: 2500 });
      expect(await ids(search, name, 'common', { offset: 2490 })).toHaveLength(10);
    });

    test('pages over several kinds of match neither repeat nor skip', async () => {
      const kinds = [
        { titles: ['Common'] },
        { titles: ['The Common Name'] },
        { titles: ['Commonly'] },
        { texts: ['in common'] },
        { titles: ['Коммон'] },
      ];
      const entries = many(700, (at) => ({ titles: [], ...kinds[at % kinds.length] }));
      const { search, name } = await filled(...entries);
      const found = await walk(search, name, 'common');
      expect(new Set(found).size).toBe(700);
      expect(await walk(search, name, 'common')).toEqual(found);
      expect(found[0]).toBe(await firstOf(search, name));
    });

    test('an offset or a limit outside the bounds is refused', async () => {
      const { search, name } = await filled();
      for (const limit of [0, -1, 51, 1.5, Number.NaN]) {
        await expect(hits(search, name, 'a', { limit })).rejects.toThrow(PermanentError);
      }
      for (const offset of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
        await expect(hits(search, name, 'a', { offset })).rejects.toThrow(PermanentError);
      }
    });
  });
}

async function firstOf(search: Parameters<typeof ids>[0], name: string): Promise<string | undefined> {
  const [first] = await ids(search, name, 'common', { limit: 1 });
  return first;
}
