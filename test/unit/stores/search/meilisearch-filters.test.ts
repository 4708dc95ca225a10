import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { hasValue, selection } from '../../../../src/stores/search/meilisearch/filters.ts';
import {
  indexOf,
  keyOf,
  spelt,
  uidOf,
  valueTerm,
} from '../../../../src/stores/search/meilisearch/term-encoding.ts';
import { anyText } from '../../../support/any-text.ts';
import { parseFilter } from '../../../support/services/meilisearch-stand-in/filter.ts';

const COUNT = 1000;
const TRICKS = ['x" OR kind="bot', "x' OR 1=1", '\\"', '\n', ')', '_geoRadius(1,1,1)', ']', 'NaN', '1e400'];
const value = fc.oneof(anyText(700), fc.constantFrom(...TRICKS), fc.double().map(String));

describe('filters of Meilisearch', () => {
  test(`${COUNT} made-up values come through a filter as themselves`, () => {
    const filterable = new Set(['key', 'terms']);
    const property = fc.property(value, value, (one, other) => {
      const document = { key: keyOf(one), terms: [valueTerm('category', one)] };
      const selects = (filter: string): boolean => parseFilter(filter, filterable)(document);
      const isOne = (...categories: readonly string[]): boolean =>
        selects(selection({ filter: { categories }, exclude: [] }));
      expect(isOne(one)).toBe(true);
      expect(isOne('no such value', other)).toBe(one === other);
      expect(selects(hasValue('kind', [one]))).toBe(false);
      expect(selects(selection({ filter: {}, exclude: [one] }))).toBe(false);
      expect(selects(selection({ filter: {}, exclude: [other] }))).toBe(one !== other);
    });
    fc.assert(property, { numRuns: COUNT });
  });

  test('no key is a number, has a capital or needs an escape, and none is long', () => {
    const property = fc.property(value, (one) => {
      expect(keyOf(one)).toMatch(/^(?:is|sha)-[a-z0-9-]{1,128}$/);
      expect(Number(keyOf(one))).toBeNaN();
    });
    fc.assert(property, { numRuns: COUNT });
  });
});

test('in Meilisearch each index has a uid of its own, and what is not ours is nobody', () => {
  const name = fc.stringMatching(/^[a-z][a-z0-9_.@-]{0,63}$/);
  const property = fc.property(name, (index) => {
    expect(uidOf(index)).toMatch(/^[a-zA-Z0-9_-]{1,400}$/);
    expect(indexOf(uidOf(index))).toBe(index);
  });
  fc.assert(property, { numRuns: COUNT });
  for (const uid of ['movies', 'catalog-Movies', 'catalog-', 'CATALOG-a', 'catalog-a@1']) {
    expect(indexOf(uid)).toBeNull();
  }
});

const word = fc.stringMatching(/^[a-zа-яß-ÿ一-丏0-9]{1,12}$/);

test('different words are spelt differently in filters of Meilisearch, in letters that have no meaning', () => {
  const property = fc.property(word, word, (one, other) => {
    expect(spelt(one)).toMatch(/^[a-z0-9-]*$/);
    expect(spelt(one) === spelt(other)).toBe(one === other);
    expect(spelt(one).startsWith(spelt(other))).toBe(one.startsWith(other));
  });
  fc.assert(property, { numRuns: COUNT });
});
