import { describe, expect, test } from 'vitest';

import type { CountQuery, Documents, Scalar } from '../../src/stores/documents/port.ts';
import { fill, writing, type Bench } from './documents-bench.ts';
import { naiveCount } from './documents-naive.ts';
import { TYPED } from './documents-typed.ts';

/** What `count` promises. */
export function describeCounts({ made }: Bench): void {
  describe('counts', () => {
    const sorted = async (documents: Documents, name: string, query: CountQuery) =>
      (await documents.count(name, query)).toSorted((a, b) =>
        JSON.stringify(a.values) < JSON.stringify(b.values) ? -1 : 1,
      );

    test('documents are counted for each combination of values that occurs', async () => {
      const { documents, name } = await made(['view.published', 'view.kind', 'view.category', '-view.score']);
      const views: Record<string, Scalar>[] = [
        { published: true, kind: 'bot', category: 'x' },
        { published: true, kind: 'bot', category: 'x' },
        { published: true, kind: 'bot', category: null },
        { published: true, kind: 'bot' },
        { published: true, kind: 'channel', category: 'x' },
        { published: false, kind: 'channel', category: 'x' },
        { published: false },
      ];
      await documents.write(
        name,
        views.map((view, n) => writing(`${n}`, { view })),
      );
      const by = ['view.kind', 'view.category'];
      expect(await sorted(documents, name, { where: { 'view.published': true }, by })).toEqual([
        { values: ['bot', 'x'], count: 2 },
        { values: ['bot', null], count: 2 },
        { values: ['channel', 'x'], count: 1 },
      ]);
      expect(await sorted(documents, name, { where: {}, by: ['view.published'] })).toEqual([
        { values: [false], count: 2 },
        { values: [true], count: 5 },
      ]);
    });

    test('values of different types are different groups, as they are stored', async () => {
      const { documents, name } = await made(['v']);
      await fill(documents, name, TYPED);
      const groups = await documents.count(name, { where: {}, by: ['v'] });
      const expected = naiveCount(TYPED, { where: {}, by: ['v'] });
      expect(new Set(groups)).toEqual(new Set(expected));
      expect(groups).toHaveLength(11);
    });

    test('without paths there is one group of everything, or none where nothing matches', async () => {
      const { documents, name } = await made(['n']);
      await fill(documents, name, { a: { n: 1 }, b: { n: 2 }, c: { n: 2 } });
      expect(await documents.count(name, { where: {}, by: [] })).toEqual([{ values: [], count: 3 }]);
      expect(await documents.count(name, { where: { n: 2 }, by: [] })).toEqual([{ values: [], count: 2 }]);
      expect(await documents.count(name, { where: { n: 3 }, by: [] })).toEqual([]);
    });
  });
}
