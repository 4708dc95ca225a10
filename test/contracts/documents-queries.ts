import { describe, expect, test } from 'vitest';

import { PermanentError } from '../../src/platform/errors.ts';
import { type Documents, type Query, refusedIds } from '../../src/stores/documents/port.ts';
import { fill, writing, type Bench } from './documents-bench.ts';

/** What `find` and `count` refuse, and where paths lead; what they find is compared in documents-model.ts. */

const ANY: Omit<Query, 'where'> = { order: [], limit: 1000 };

async function idsOf(documents: Documents, name: string, query: Query): Promise<readonly string[]> {
  return (await documents.find(name, query)).documents.map(({ id }) => id);
}

export function describeQueries(bench: Bench): void {
  describeConditions(bench);
  describeIndexes(bench);
}

function describeConditions({ made }: Bench): void {
  describe('conditions', () => {
    test('a range without bounds, with bounds of two types or with a bound that is no value is refused', async () => {
      const { documents, name } = await made(['v']);
      for (const range of [{}, { gt: 1, lt: 'a' }, { gt: Number.NaN }, { lt: Number.POSITIVE_INFINITY }]) {
        await expect(documents.find(name, { ...ANY, where: { v: range } })).rejects.toThrow(PermanentError);
      }
      await expect(documents.find(name, { ...ANY, where: { v: Number.NaN } })).rejects.toThrow(
        PermanentError,
      );
    });

    test('what is an object or a list where an index expects a scalar is refused, or counts as missing', async () => {
      const { documents, name } = await made(['v'], ['view.deep.n']);
      const kept: string[] = [];
      const odd = { list: { v: [1] }, object: { v: { n: 1 } }, inside: { view: { deep: [{ n: 1 }] } } };
      for (const [id, body] of Object.entries(odd)) {
        const write = documents.write(name, [writing(id, body)]);
        await write.then(
          () => kept.push(id),
          (thrown: unknown) => expect(refusedIds(thrown)).toEqual([id]),
        );
      }
      expect(await idsOf(documents, name, { ...ANY, where: { v: null } })).toEqual(kept.toSorted());
      for (const v of [1, '[1]', '{"n":1}'])
        expect(await idsOf(documents, name, { ...ANY, where: { v } })).toEqual([]);
      expect(await idsOf(documents, name, { ...ANY, where: { 'view.deep.n': 1 } })).toEqual([]);
    });

    test('every condition must hold, and paths reach into objects by their own keys alone', async () => {
      const { documents, name } = await made(['view.kind', 'view.n'], ['view.constructor']);
      await fill(documents, name, {
        a: { view: { kind: 'bot', n: 1 } },
        b: { view: { kind: 'bot', n: 2 } },
        c: { view: { kind: 'channel', n: 1 }, kind: 'bot' },
        d: { view: 'bot' },
      });
      expect(await idsOf(documents, name, { ...ANY, where: { 'view.kind': 'bot', 'view.n': 1 } })).toEqual([
        'a',
      ]);
      expect(await idsOf(documents, name, { ...ANY, where: { 'view.kind': null } })).toEqual(['d']);
      expect(await idsOf(documents, name, { ...ANY, where: { 'view.constructor': null } })).toHaveLength(4);
    });
  });
}

/** Which questions a declared index serves. */
function describeIndexes({ made }: Bench): void {
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
