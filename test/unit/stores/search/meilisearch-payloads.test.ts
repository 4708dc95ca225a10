import { describe, expect, test } from 'vitest';

import type { SearchEntry } from '../../../../src/stores/search/port.ts';
import { Payloads } from '../../../../src/stores/search/meilisearch/payloads.ts';
import { storedOf } from '../../../../src/stores/search/meilisearch/stored.ts';
import { entry, many } from '../../../contracts/search-bench.ts';

async function listsOf(payloads: Payloads, entries: readonly SearchEntry[]): Promise<readonly string[]> {
  return await Array.fromAsync(payloads.of(entries));
}

describe('what Meilisearch is sent', () => {
  test('is every entry as it is stored, in its order, in lists of at most 4,000', async () => {
    const entries = many(4001);
    const lists = (await listsOf(new Payloads(), entries)).map((list) => JSON.parse(list) as unknown[]);
    expect(lists.map(({ length }) => length)).toEqual([4000, 1]);
    expect(lists.flat()).toEqual(entries.map((one) => JSON.parse(JSON.stringify(storedOf(one)))));
  });

  test('is nothing where there are no entries', async () => {
    expect(await listsOf(new Payloads(), [])).toEqual([]);
  });

  test('is a smaller list where entries are large, and a list of its own for one that is larger than all', async () => {
    const large = (id: string, mebibytes: number) =>
      entry(id, { texts: [`${'x'.repeat(1023)} `.repeat(mebibytes * 2 ** 11)] });
    const entries = [large('a', 3), large('b', 3), large('c', 20), large('d', 1)];
    const lists = (await listsOf(new Payloads(), entries)).map(
      (list) => JSON.parse(list) as { id: string }[],
    );
    expect(lists.map((list) => list.map(({ id }) => id))).toEqual([['a', 'b'], ['c'], ['d']]);
  });

  test('is the same where it was made ahead', async () => {
    const entries = many(250);
    const payloads = new Payloads();
    await payloads.prepare(entries.slice(100));
    expect(await listsOf(payloads, entries)).toEqual(await listsOf(new Payloads(), entries));
  });
});
