import { describe, expect, test } from 'vitest';

import { PermanentError } from '../../src/platform/errors.ts';
import type { Page, Query } from '../../src/stores/documents/port.ts';
import { fill, writing, type Bench } from './documents-bench.ts';
import { naiveFind } from './documents-naive.ts';

/** A thousand documents, of which every other one is wanted. */
const THOUSAND = Object.fromEntries(
  Array.from({ length: 1000 }, (_, n) => [`id-${(n * 7919) % 1000}`, { kind: n % 2 ? 'k' : 'other', n }]),
);

/** What walking through the pages of a query promises. */
export function describePages({ client, collection, made }: Bench): void {
  describe('pages', () => {
    test('documents that stay are met exactly once, by id, while others come, go and change', async () => {
      const [reader, writer] = [await client(), await client()];
      const name = await collection(reader, ['kind', 'n']);
      await fill(reader, name, THOUSAND);
      const query: Query = { where: { kind: 'k' }, order: [], limit: 25 };
      const passing = Object.keys(THOUSAND).filter((_, at) => at % 3 === 0);
      const met: string[] = [];
      let after: string | null = '';
      for (let round = 0; after !== null; round += 1) {
        const page: Page<unknown> = await reader.find(name, { ...query, after });
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
          touched.slice(10).map(({ id, read }) => writing(id, { kind: round % 2 ? 'k' : 'other' }, read)),
        );
        await writer.write(name, [writing(`come-${round}`, { kind: 'k' })]);
      }
      const kept = naiveFind(THOUSAND, query).filter((id) => !passing.includes(id));
      expect(kept.length).toBeGreaterThan(300);
      expect(met.filter((id) => kept.includes(id))).toEqual(kept);
    });

    test('where documents are ordered by more than their ids a page stands alone', async () => {
      const { documents, name } = await made(['n']);
      const query: Query = { where: {}, order: ['n'], limit: 1, after: 'a' };
      await expect(documents.find(name, query)).rejects.toThrow(PermanentError);
    });

    test('a limit that is no whole number from one is refused', async () => {
      const { documents, name } = await made();
      for (const limit of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
        await expect(documents.find(name, { where: {}, order: [], limit })).rejects.toThrow(PermanentError);
      }
    });
  });
}
