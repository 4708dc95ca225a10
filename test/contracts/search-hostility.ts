import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { PermanentError } from '../../src/platform/errors.ts';
import { anyText } from '../support/any-text.ts';
import { sizeOf } from '../support/sizes.ts';
import hostileQueries from './hostile-queries.json' with { type: 'json' };
import { entry, hits, ids, patiently, type Bench } from './search-bench.ts';

const COUNT = sizeOf('HOSTILE_QUERIES');
/** What a query may take on a busy machine before the test is given up. */
const MOST_MS = 200;

/** Whatever is typed, and whatever a name is made of, is text. */
export function describeHostility({ client, index, filled }: Bench): void {
  describe('hostile text', () => {
    test.for(hostileQueries)('%j has no meaning of its own', async (q) => {
      const { search, name } = await filled(
        entry('alpha', { titles: ['Alpha'] }),
        entry('beta', { titles: [q] }),
      );
      const found = await hits(search, name, q);
      expect(found.ids).toHaveLength(found.total);
      expect(new Set(['alpha', 'beta']).isSupersetOf(new Set(found.ids))).toBe(true);
    });

    test('words that are operators elsewhere are searched as words', async () => {
      const { search, name } = await filled(
        entry('a', { titles: ['Black near White'] }),
        entry('b', { titles: ['Near or far, not here'] }),
        entry('c', { titles: ['Black White'] }),
      );
      expect((await ids(search, name, 'black NEAR white'))[0]).toBe('a');
      expect((await ids(search, name, 'NEAR OR NOT'))[0]).toBe('b');
      expect((await ids(search, name, 'black -white')).toSorted()).toEqual(['a', 'c']);
    });

    test(`${COUNT} made-up queries are answered`, { timeout: 60_000 + COUNT * MOST_MS }, async () => {
      const { search, name } = await filled(entry('alpha', { titles: ['Alpha beta'] }), entry('other'));
      const unit = fc.oneof(anyText(), fc.constantFrom(...hostileQueries, 'alpha', 'бета'));
      const typed = fc
        .array(unit, { maxLength: 12 })
        .map((parts) => Array.from(parts.join(' ')).slice(0, 120).join(''))
        .filter((q) => q.isWellFormed());
      const queries = fc.sample(typed, COUNT);
      for (let from = 0; from < COUNT; from += 10) {
        const asked = queries.slice(from, from + 10);
        for (const found of await Promise.all(asked.map((q) => patiently(() => hits(search, name, q))))) {
          expect(found.total).toBe(found.ids.length);
        }
      }
    });

    test('an entry is found by its own name, whatever that is made of', async () => {
      const search = await client();
      const unit = fc.oneof(
        fc.string({ unit: 'grapheme', maxLength: 20 }),
        fc.constantFrom(...hostileQueries),
      );
      const titled = fc
        .array(unit, { minLength: 1, maxLength: 5 })
        .map((parts) => parts.join(' '))
        .filter((title) => title.isWellFormed() && /\S/u.test(title) && Array.from(title).length <= 120);
      const titles = fc.sample(titled, 300);
      const name = await index(search, ...titles.map((title, at) => entry(`e-${at}`, { titles: [title] })));
      for (const [at, title] of titles.entries()) {
        const named = entry('asked', { titles: [title] }).exact;
        if (named.length === 1) continue;
        expect(await ids(search, name, title), title).toContain(`e-${at}`);
      }
    });

    test('the longest queries are answered, and longer ones are refused', async () => {
      const { search, name } = await filled(entry('alpha'));
      for (const q of ['a'.repeat(120), 'a '.repeat(60), '🔥'.repeat(120), 'ж'.repeat(120)]) {
        expect((await hits(search, name, q)).totalIsExact).toBe(true);
      }
      for (const q of ['a'.repeat(121), '\uD800']) {
        await expect(hits(search, name, q)).rejects.toThrow(PermanentError);
      }
    });
  });
}
