import { describe, expect, test } from 'vitest';

import { PermanentError } from '../../src/platform/errors.ts';
import { type Documents, type Query, refusedIds, type Scalar } from '../../src/stores/documents/port.ts';
import { fill, writing, type Bench } from './documents-bench.ts';
import { describeCounts } from './documents-counts.ts';
import { describeIndexes } from './documents-indexes.ts';
import { TYPED } from './documents-typed.ts';

/** What `find` and `count` promise; pages, indexes and counts have files of their own. */

const ANY: Omit<Query, 'where'> = { order: [], limit: 1000 };

async function idsOf(documents: Documents, name: string, query: Query): Promise<readonly string[]> {
  return (await documents.find(name, query)).documents.map(({ id }) => id);
}

export function describeQueries(bench: Bench): void {
  describeConditions(bench);
  describeOrders(bench);
  describeIndexes(bench);
  describeCounts(bench);
}

function describeConditions({ made }: Bench): void {
  describe('conditions', () => {
    test.for(Object.entries(TYPED).filter(([id]) => !['missing', 'null'].includes(id)))(
      'equality holds for the same value of the same type alone: %s',
      async ([id, body]) => {
        const { documents, name } = await made(['v']);
        await fill(documents, name, TYPED);
        const value = body['v'] as Scalar;
        expect(await idsOf(documents, name, { ...ANY, where: { v: value } })).toEqual([id]);
        expect(await idsOf(documents, name, { ...ANY, where: { v: { in: [value] } } })).toEqual([id]);
        expect(await idsOf(documents, name, { ...ANY, where: { v: { in: [value, 'no such'] } } })).toEqual([
          id,
        ]);
      },
    );

    test('null and missing are equal to each other', async () => {
      const { documents, name } = await made(['v']);
      await fill(documents, name, TYPED);
      expect(await idsOf(documents, name, { ...ANY, where: { v: null } })).toEqual(['missing', 'null']);
      expect(await idsOf(documents, name, { ...ANY, where: { v: { in: [null] } } })).toEqual([
        'missing',
        'null',
      ]);
    });

    test('`in` matches each of its values once, null among them, and an empty list matches nothing', async () => {
      const { documents, name } = await made(['v']);
      await fill(documents, name, TYPED);
      const several = { v: { in: [1, null, true, '', 1] } };
      expect(await idsOf(documents, name, { ...ANY, where: several })).toEqual([
        'empty',
        'missing',
        'null',
        'one',
        'yes',
      ]);
      expect(await idsOf(documents, name, { ...ANY, where: { v: { in: [] } } })).toEqual([]);
      expect(await documents.count(name, { where: { v: { in: [] } }, by: [] })).toEqual([]);
    });

    test.for([
      [{ gt: 0 }, ['half', 'one', 'large']],
      [{ gte: 0 }, ['zero', 'half', 'one', 'large']],
      [{ lt: 0.5 }, ['negative', 'zero']],
      [{ lte: 0.5 }, ['negative', 'zero', 'half']],
      [{ gt: -3, lte: 1 }, ['zero', 'half', 'one']],
      [{ gt: 1, lt: 1 }, []],
      [{ gte: Number.MAX_SAFE_INTEGER }, ['large']],
      [{ gt: Number.MAX_SAFE_INTEGER - 1 }, ['large']],
      [{ gt: '' }, ['digit', 'text']],
      [{ gte: '' }, ['empty', 'digit', 'text']],
      [{ lt: 'a' }, ['empty', 'digit']],
      [{ lte: '1' }, ['empty', 'digit']],
      [{ gt: '1', lt: 'j' }, ['text']],
    ] as const)('a range holds the values of its own type between its bounds: %j', async ([range, ids]) => {
      const { documents, name } = await made(['v']);
      await fill(documents, name, TYPED);
      expect(await idsOf(documents, name, { limit: 100, order: ['v'], where: { v: range } })).toEqual(ids);
    });

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

function describeOrders({ made }: Bench): void {
  describe('orders', () => {
    test('nothing, then numbers, text and booleans: ascending, and in reverse descending', async () => {
      const { documents, name } = await made(['v']);
      await fill(documents, name, TYPED);
      const values = ['negative', 'zero', 'half', 'one', 'large', 'empty', 'digit', 'text', 'no', 'yes'];
      const ascending = await idsOf(documents, name, { where: {}, order: ['v'], limit: 100 });
      expect(ascending).toEqual(['missing', 'null', ...values]);
      const descending = await idsOf(documents, name, { where: {}, order: ['-v'], limit: 100 });
      expect(descending).toEqual([...values.toReversed(), 'missing', 'null']);
    });

    test('text is ordered by its UTF-8 bytes', async () => {
      const { documents, name } = await made(['v']);
      const texts = ['Z', 'a', 'aa', 'a\0', 'é', 'z', 'Я', '\uffee', '😀', '10', '9'];
      await documents.write(
        name,
        texts.map((v, n) => writing(`${n}`, { v })),
      );
      const { documents: found } = await documents.find<{ v: string }>(name, {
        where: {},
        order: ['v'],
        limit: 100,
      });
      const sorted = texts.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      expect(found.map(({ body }) => body.v)).toEqual(sorted);
    });

    test('directions mix, and the id ends every order, ascending', async () => {
      const { documents, name } = await made(['a', '-b']);
      await fill(documents, name, {
        p: { a: 1, b: 1 },
        o: { a: 1, b: 1 },
        q: { a: 1, b: 2 },
        n: { a: 0, b: 0 },
      });
      const order = (...paths: string[]): Query => ({ where: {}, order: paths, limit: 100 });
      expect(await idsOf(documents, name, order('a', '-b'))).toEqual(['n', 'q', 'o', 'p']);
      expect(await idsOf(documents, name, order('-a', 'b'))).toEqual(['o', 'p', 'q', 'n']);
      expect(await idsOf(documents, name, order('-a', '-b'))).toEqual(['q', 'o', 'p', 'n']);
      expect(await idsOf(documents, name, order())).toEqual(['n', 'o', 'p', 'q']);
    });
  });
}
