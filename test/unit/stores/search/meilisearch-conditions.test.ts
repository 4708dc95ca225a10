import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { filterOf } from '../../../../src/stores/search/meilisearch/filters.ts';
import { SETTINGS } from '../../../../src/stores/search/meilisearch/index-settings.ts';
import { storedOf } from '../../../../src/stores/search/meilisearch/stored-entry.ts';
import type { MatchCondition } from '../../../../src/stores/search/ranking/match-condition.ts';
import { holds, traitsOf } from '../../../../src/stores/search/ranking/evaluate-condition.ts';
import { entry } from '../../../contracts/search-bench.ts';
import { parseFilter } from '../../../support/services/meilisearch-stand-in/filter.ts';

/** Conditions of any shape, over words that begin with, contain and repeat each other. */
const WORDS = ['server', 'servers', 'serve', 'observer', 'nginx', 'ser', 'server-side', 'up'];
const word = fc.constantFrom(...WORDS, 'erve', 'bots');
const leaf: fc.Arbitrary<MatchCondition> = fc.oneof(
  fc.record({
    word,
    form: fc.constantFrom('typed' as const, 'sounds' as const, 'roots' as const),
    zone: fc.constantFrom('names' as const, 'texts' as const),
    begins: fc.boolean(),
  }),
  word.filter((one) => one.length >= 4).map((inside) => ({ inside })),
  fc
    .array(fc.array(word, { minLength: 1, maxLength: 3 }), { maxLength: 3 })
    .map((leads) => ({ leads: leads.map((words) => words.join(' ')) })),
  fc.record({
    field: fc.constantFrom('kind' as const, 'subtype' as const, 'category' as const),
    values: fc.subarray(['bot', 'channel', 'group', 'broadcast', 'news', 'sport']),
  }),
);
const { condition } = fc.letrec<{ condition: MatchCondition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(tie('condition'), { minLength: 1, maxLength: 4 }).map((all) => ({ all })),
    fc.array(tie('condition'), { maxLength: 4 }).map((any) => ({ any })),
  ),
}));
const text = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 })
  .map((words) => words.join(' '));
const made = fc
  .record({ titles: fc.array(text, { minLength: 1, maxLength: 2 }), texts: fc.array(text, { maxLength: 2 }) })
  .chain(({ titles, texts }) =>
    fc
      .constantFrom<{ kind: 'bot' } | { kind: 'channel'; subtype: 'group' }>(
        { kind: 'bot' },
        { kind: 'channel', subtype: 'group' },
      )
      .map((kind) =>
        entry('a', { titles: [...new Set(titles)], texts: [...new Set(texts)], category: 'news', ...kind }),
      ),
  );

const filterable = new Set<string>(SETTINGS.filterableAttributes);

test('a condition as a filter selects the entries that fulfil it, whatever is left out of it for being asked for already', () => {
  const property = fc.property(condition, made, (wanted, one) => {
    const selects = parseFilter(filterOf(wanted), filterable);
    expect(selects(storedOf(one) as unknown as Record<string, unknown>)).toBe(holds(wanted, traitsOf(one)));
  });
  fc.assert(property, { numRuns: 1000 });
});
