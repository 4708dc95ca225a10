import { describe, expect, test } from 'vitest';

import { PermanentError } from '../../src/platform/errors.ts';
import type { Query } from '../../src/stores/documents/port.ts';
import { fill, walk, writing, type Bench } from './documents-bench.ts';
import { naiveFind } from './documents-naive.ts';

/** A thousand documents with ties, nulls and missing values in both paths. */
const THOUSAND = Object.fromEntries(
  Array.from({ length: 1000 }, (_, n) => {
    const a = [null, 0, 1, 'x', undefined, true][n % 6];
    return [
      `id-${(n * 7919) % 1000}`,
      { kind: 'k', ...(a === undefined ? {} : { a }), ...(n % 4 ? { b: n % 9 } : {}) },
    ];
  }),
);

/** What walking through the pages of a query promises. */
export function describePages({ client, collection, made }: Bench): void {
  describe('pages', () => {
    test('a walk through a thousand documents neither repeats nor skips', async () => {
      const { documents, name } = await made(['kind', 'a', '-b']);
      await fill(documents, name, THOUSAND);
      const query = { where: { kind: 'k' }, order: ['-a', 'b'], limit: 37 };
      const expected = naiveFind(THOUSAND, query);
      expect(expected).toHaveLength(1000);
      expect(await walk(documents, name, query)).toEqual(expected);
    });

    test.for([{ order: ['a', '-b'] }, { order: ['-a', 'b'] }])(
      'documents that stay are met exactly once while others come, go and change, in the order $order',
      async ({ order }) => {
        const [reader, writer] = [await client(), await client()];
        const name = await collection(reader, ['a', '-b']);
        await fill(reader, name, THOUSAND);
        const passing = Object.keys(THOUSAND).filter((_, at) => at % 3 === 0);
        const query: Query = { where: {}, order, limit: 50 };
        const met: string[] = [];
        let after: string | null | undefined;
        for (let round = 0; after !== null; round += 1) {
          const page = await reader.find(name, after === undefined ? query : { ...query, after });
          met.push(...page.documents.map(({ id }) => id));
          after = page.next;
          if (round > 100) throw new Error('The pages never end');
          const ids = passing.slice(round * 20, round * 20 + 20);
          const versions = await writer.versions(name, ids);
          const touched = ids.flatMap((id) =>
            versions.has(id) ? [{ id, read: versions.get(id) as string }] : [],
          );
          await writer.remove(name, touched.slice(0, 10));
          await writer.write(
            name,
            touched.slice(10).map(({ id, read }) => writing(id, { a: round, b: -round }, read)),
          );
          await writer.write(name, [writing(`come-${round}`, { a: round % 3, b: 4 })]);
        }
        const kept = naiveFind(THOUSAND, query).filter((id) => !passing.includes(id));
        expect(met.filter((id) => kept.includes(id))).toEqual(kept);
      },
    );

    test('a page that ends the list says so, a full one too', async () => {
      const { documents, name } = await made(['n']);
      await fill(documents, name, { a: { n: 1 }, b: { n: 2 }, c: { n: 3 } });
      const page = async (limit: number) => await documents.find(name, { where: {}, order: ['n'], limit });
      expect((await page(2)).next).not.toBeNull();
      expect((await page(3)).next).toBeNull();
      expect((await page(4)).next).toBeNull();
    });

    test('a cursor that no page of this order returned is refused', async () => {
      const { documents, name } = await made(['n'], ['m']);
      await fill(documents, name, { a: { n: 1 }, b: { n: 2 } });
      const query: Query = { where: {}, order: ['n'], limit: 1 };
      const { next } = await documents.find(name, query);
      const rest = await documents.find(name, { ...query, after: next as string });
      expect(rest.documents.map(({ id }) => id)).toEqual(['b']);
      const text = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
      const rubbish = [
        '',
        'rubbish',
        '%',
        '{}',
        text({}),
        text(null),
        text([]),
        text([['n'], [1], 1]),
        text([['n'], [], 'a']),
        text([['n'], [{}], 'a']),
        text([['n'], [1], 'a', 1]),
        `${next?.slice(0, -3)}`,
      ];
      for (const after of rubbish) {
        await expect(documents.find(name, { ...query, after })).rejects.toThrow(PermanentError);
      }
      for (const order of [['m'], ['-n'], []]) {
        await expect(documents.find(name, { ...query, order, after: next as string })).rejects.toThrow(
          PermanentError,
        );
      }
    });

    test('a limit that is no whole number from one is refused', async () => {
      const { documents, name } = await made();
      for (const limit of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
        await expect(documents.find(name, { where: {}, order: [], limit })).rejects.toThrow(PermanentError);
      }
    });
  });
}
