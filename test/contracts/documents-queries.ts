import { describe, expect, test } from 'vitest';

import { PermanentError } from '../../src/platform/errors.ts';
import { type Documents, type Query, refusedIds } from '../../src/stores/documents/port.ts';
import { fill, writing, type Bench } from './documents-bench.ts';
import { describeIndexes } from './documents-indexes.ts';

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
