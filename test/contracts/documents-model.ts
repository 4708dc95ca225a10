import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import type { Documents, Scalar } from '../../src/stores/documents/port.ts';
import { sizeOf } from '../support/sizes.ts';
import { fill, walk, type Bench } from './documents-bench.ts';
import { naiveCount, naiveFind } from './documents-naive.ts';

/** Any query, compared with the naive reading of the port. */

const value = fc.constantFrom<Scalar>(
  null,
  0,
  1,
  -1.5,
  0.5,
  Number.MAX_SAFE_INTEGER,
  '',
  '1',
  'a',
  'aa',
  'it\'s "quoted" -- %_\\ \0 end',
  'é',
  '😀',
  '\uffee',
  'a\0',
  true,
  false,
);
const body = fc.record({ a: value, b: value, c: value }, { requiredKeys: [] });
const number = fc.constantFrom(-2, 0, 0.5, 1, Number.MAX_SAFE_INTEGER - 1);
const text = fc.constantFrom('', '1', 'a', 'aa', '\uffef');
const range = fc.oneof(...[number, text].map((bounds) => rangeOf(bounds as fc.Arbitrary<string | number>)));
const condition = fc.oneof(value, fc.record({ in: fc.array(value, { maxLength: 4 }) }), range);
const where = fc.record({ a: condition, b: condition, c: condition }, { requiredKeys: [] });
const order = fc.uniqueArray(fc.constantFrom('a', '-a', 'b', '-b', 'c', '-c'), {
  selector: (path) => path.replace('-', ''),
  maxLength: 3,
});

function rangeOf(bounds: fc.Arbitrary<string | number>): fc.Arbitrary<Record<string, string | number>> {
  return fc
    .record({ gt: bounds, gte: bounds, lt: bounds, lte: bounds }, { requiredKeys: [] })
    .filter((drawn) => Object.keys(drawn).length > 0);
}

/** Every order of three paths, so that whatever is drawn is served. */
const ALL_ORDERS = [
  ['a', 'b', '-c'],
  ['a', '-c', 'b'],
  ['b', 'a', 'c'],
  ['-b', 'c', 'a'],
  ['c', '-a', '-b'],
  ['c', 'b', 'a'],
];

export function describeModel({ made }: Bench): void {
  test('any query finds and counts what a filter and a sort of all documents would', async () => {
    const { documents, name } = await made(...ALL_ORDERS);
    const generated = fc.array(body, { maxLength: 25 });
    const queries = fc.array(fc.record({ where, order, limit: fc.integer({ min: 1, max: 9 }) }), {
      minLength: 1,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(generated, queries, async (bodies, drawn) => {
        const stored = Object.fromEntries(bodies.map((one, at) => [`id-${at}`, one]));
        await empty(documents, name);
        await fill(documents, name, stored);
        for (const query of drawn) {
          const expected = naiveFind(stored, query);
          const page = await documents.find(name, query);
          expect(page.documents.map(({ id }) => id)).toEqual(expected.slice(0, query.limit));
          expect(page.next).toBe(expected.length > query.limit ? expected[query.limit - 1] : null);
          const byId = { ...query, order: [] };
          expect(await walk(documents, name, byId)).toEqual(naiveFind(stored, byId));
          const count = { where: query.where, by: query.order.map((path) => path.replace('-', '')) };
          expect(new Set(await documents.count(name, count))).toEqual(new Set(naiveCount(stored, count)));
        }
      }),
      { numRuns: sizeOf('CONTRACT_CASES') },
    );
  });
}

async function empty(documents: Documents, name: string): Promise<void> {
  for await (const batch of documents.scan(name)) {
    await documents.remove(
      name,
      batch.map(({ id, version }) => ({ id, read: version })),
    );
  }
}
