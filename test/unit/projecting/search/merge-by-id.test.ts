import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { mergeById } from '../../../../src/projecting/search/merge-by-id.ts';
import type { Stored } from '../../../../src/stores/documents/port.ts';

/** By UTF-8 bytes these are in another order than JavaScript has them in. */
const BEYOND = ['\uff61', '\u{1f600}', 'é', 'z', '-', '\u{10ffff}'];

const ids = fc.uniqueArray(fc.oneof(fc.string({ maxLength: 2 }), fc.constantFrom(...BEYOND)), {
  maxLength: 30,
});

test('a merge of two scans has each id once, in the order of the scans, with what either side has of it', async () => {
  await fc.assert(
    fc.asyncProperty(
      ids,
      ids,
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 5 }),
      async (...given) => {
        const [before, after, some, others] = given;
        const merged = await Array.fromAsync(mergeById(scan(before, some), scan(after, others)));
        const all = sorted([...new Set([...before, ...after])]);
        expect(merged.map(({ id }) => id)).toEqual(all);
        for (const pair of merged) {
          expect(pair.before?.id).toBe(before.includes(pair.id) ? pair.id : undefined);
          expect(pair.after?.id).toBe(after.includes(pair.id) ? pair.id : undefined);
        }
      },
    ),
  );
});

test('a merge holds a batch of either side at most', async () => {
  let [held, most] = [0, 0];
  async function* counting(): AsyncGenerator<readonly Stored<object>[]> {
    for (let batch = 0; batch < 50; batch += 1) {
      held += 10;
      most = Math.max(most, held);
      yield Array.from({ length: 10 }, (_, at) => document(String(batch * 10 + at).padStart(4, '0')));
    }
  }
  for await (const { before, after } of mergeById(counting(), counting()))
    held -= Number(before !== null) + Number(after !== null);
  expect({ held, most }).toEqual({ held: 0, most: 20 });
});

test('a merge that is left ends both scans', async () => {
  const ended: string[] = [];
  async function* endless(name: string): AsyncGenerator<readonly Stored<object>[]> {
    try {
      for (let at = 0; ; at += 1) yield [document(String(at).padStart(6, '0'))];
    } finally {
      ended.push(name);
    }
  }
  for await (const { id } of mergeById(endless('before'), endless('after'))) if (id !== '') break;
  expect(ended.toSorted()).toEqual(['after', 'before']);
});

function sorted(some: readonly string[]): readonly string[] {
  return some.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

function document(id: string): Stored<object> {
  return { id, version: id, body: {} };
}

async function* scan(some: readonly string[], size: number): AsyncGenerator<readonly Stored<object>[]> {
  const documents = sorted(some).map(document);
  for (let at = 0; at < documents.length; at += size) yield documents.slice(at, at + size);
}
