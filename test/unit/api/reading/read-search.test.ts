import { describe, expect, test } from 'vitest';

import { buildTaxonomy } from '../../../../src/api/reading/build-taxonomy.ts';
import type { PublishedListing } from '../../../../src/api/reading/listing-queries.ts';
import { readSearch } from '../../../../src/api/reading/read-search.ts';
import { RetryableError } from '../../../../src/platform/errors.ts';
import type { PageOfHits } from '../../../../src/api/reading/hit-page-cache.ts';

const ASKED = { keyId: 'k_one', q: 'q', kind: null, category: null, page: 1, limit: 2 };

/** An index that answers these pages one after the other, the last one again and again. */
function reading(
  published: string,
  pages: readonly Omit<PageOfHits, 'excluding' | 'contentVersion'>[],
  index: string | null = 'i',
) {
  let turn = -1;
  const next = async () => {
    turn = Math.min(turn + 1, pages.length - 1);
    return { ids: [], total: 0, totalIsExact: true, ...pages[turn], excluding: '', contentVersion: null };
  };
  // Only what says that it is published, in a list of everything.
  const entry = (id: string) => [id, { id, version: '', view: {} } as unknown as PublishedListing] as const;
  return {
    live: async () => ({ collection: 'c', index }),
    taxonomy: async () => ({ ...buildTaxonomy([]), digest: '' }),
    published: async (_: string, ids: readonly string[]) =>
      new Map(ids.filter((id) => published.includes(id)).map(entry)),
    hits: next,
    hitsWithout: next,
  };
}

async function read(...given: Parameters<typeof reading>) {
  const { entries, total, totalIsExact } = await readSearch(reading(...given), ASKED);
  return [entries.map(({ id }) => id).join(''), total, totalIsExact];
}

describe('a search', () => {
  test('does not list or count what an index insists on', async () => {
    expect(await read('a', [{ ids: ['a', 'x'], total: 7, totalIsExact: true }])).toEqual(['a', 6, true]);
    expect(await read('a', [{ ids: ['a', 'x'], total: 2500, totalIsExact: false }])).toEqual([
      'a',
      2500,
      false,
    ]);
  });

  test('of a read model without an index can be tried later', async () => {
    await expect(read('a', [], null)).rejects.toThrow(RetryableError);
  });
});
