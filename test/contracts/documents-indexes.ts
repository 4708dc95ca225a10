import { describe, expect, test } from 'vitest';

import { PermanentError } from '../../src/platform/errors.ts';
import type { Query } from '../../src/stores/documents/port.ts';
import type { Bench } from './documents-bench.ts';

/** Which questions a declared index serves. */
export function describeIndexes({ made }: Bench): void {
  const indexes = [['a', 'b', '-c'], ['d']];

  describe('declared indexes', () => {
    test.for<Partial<Query>>([
      { where: {}, order: [] },
      { where: { a: 1 }, order: [] },
      { where: { b: 1, a: { in: [1, 2] } }, order: [] },
      { where: { a: 1 }, order: ['b'] },
      { where: { a: 1, b: 1 }, order: ['c'] },
      { where: { a: 1, b: 1 }, order: ['-b', '-c'] },
      { where: { a: 1, b: { gt: 1 } }, order: ['b', '-c'] },
      { where: { d: { lt: 1 } }, order: ['-d'] },
      { where: {}, order: ['a', 'b', 'c'] },
    ])(
      'what begins with the equal paths of an index and goes on with its next ones is served: %j',
      async (query) => {
        const { documents, name } = await made(...indexes);
        const page = await documents.find(name, { where: {}, order: [], limit: 1, ...query });
        expect(page).toEqual({ documents: [], next: null });
      },
    );

    test.for<readonly [Partial<Query>, string]>([
      [{ where: { b: 1 } }, '[b]'],
      [{ where: { e: 1 } }, '[e]'],
      [{ where: { a: 1, d: 1 } }, '[a, d]'],
      [{ where: { a: 1 }, order: ['c'] }, '[a, c]'],
      [{ where: { a: { gt: 1 }, b: 1 } }, '[b, a]'],
      [{ where: {}, order: ['d', 'a'] }, '[d, a]'],
      [{ where: { a: { in: [] } }, order: ['d'] }, '[a, d]'],
    ])(
      'what no declared index serves is refused, and the message names the index: %j',
      async ([query, paths]) => {
        const { documents, name } = await made(...indexes);
        const found = documents.find(name, { where: {}, order: [], limit: 1, ...query });
        await expect(found).rejects.toThrow(PermanentError);
        await expect(found).rejects.toThrow(paths);
        const by = (query.order ?? []).map((path) => path.replace('-', ''));
        await expect(documents.count(name, { where: query.where ?? {}, by })).rejects.toThrow(PermanentError);
      },
    );
  });
}
