import { describe, expect, test } from 'vitest';

import type { SearchEntry } from '../../../../src/stores/search/port.ts';
import { Payloads } from '../../../../src/stores/search/meilisearch/payloads.ts';
import { storedOf } from '../../../../src/stores/search/meilisearch/stored.ts';
import { entry, many } from '../../../contracts/search-bench.ts';

async function listsOf(payloads: Payloads, entries: readonly SearchEntry[]) {
  return await Array.fromAsync(payloads.of(entries));
}

async function idsOf(payloads: Payloads, entries: readonly SearchEntry[]) {
  const lists = await listsOf(payloads, entries);
  return lists.map((texts) => texts.map((text) => (JSON.parse(text) as SearchEntry).id));
}

describe('what Meilisearch is sent', () => {
  test('is every entry as it is stored, in its order, in lists of at most 4,000', async () => {
    const entries = many(4001);
    const lists = await listsOf(new Payloads(), entries);
    expect(lists.map(({ length }) => length)).toEqual([4000, 1]);
    expect(lists.flat()).toEqual(entries.map((one) => JSON.stringify(storedOf(one))));
  });

  test('is nothing where there are no entries', async () => {
    expect(await listsOf(new Payloads(), [])).toEqual([]);
  });

  test('is a smaller list where entries are large, and a list of its own for one that is larger than all', async () => {
    // Two bytes a letter.
    const large = (id: string, mebibytes: number) =>
      entry(id, { texts: [`${'ж'.repeat(1023)} `.repeat(mebibytes * 2 ** 9)] });
    const entries = [large('a', 7), large('b', 7), large('c', 20), large('d', 1)];
    expect(await idsOf(new Payloads(), entries)).toEqual([['a', 'b'], ['c'], ['d']]);
  });

  test('is smaller from then on where it was too large for somebody', async () => {
    const entries = many(6);
    const [texts = []] = await listsOf(new Payloads(), entries);
    const payloads = new Payloads();
    payloads.wereTooLarge(texts.join('').length);
    payloads.wereTooLarge(10 * texts.join('').length);
    const lists = await listsOf(payloads, entries);
    expect(lists.length).toBeGreaterThan(1);
    expect(lists.flat()).toEqual(texts);
  });
});
