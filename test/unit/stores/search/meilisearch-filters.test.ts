import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { equals, isNoneOf, isOneOf, keyOf } from '../../../../src/stores/search/meilisearch/filters.ts';
import { spellingsOf, TIERS } from '../../../../src/stores/search/meilisearch/matching.ts';
import { indexOf, uidOf } from '../../../../src/stores/search/meilisearch/uid.ts';
import { anyText } from '../../../support/any-text.ts';
import { parseFilter } from '../../../support/services/meilisearch-stand-in/filter.ts';

const COUNT = 10_000;
const TRICKS = ['x" OR kind="bot', "x' OR 1=1", '\\"', '\n', ')', '_geoRadius(1,1,1)', ']', 'NaN', '1e400'];
const value = fc.oneof(anyText(700), fc.constantFrom(...TRICKS), fc.double().map(String));

describe('filters of Meilisearch', () => {
  test(`${COUNT} made-up values come through a filter as themselves`, () => {
    const filterable = new Set(['a']);
    const property = fc.property(value, value, (one, other) => {
      const [document, another] = [{ a: keyOf(one) }, { a: keyOf(other) }];
      expect(parseFilter(equals('a', one), filterable)(document)).toBe(true);
      expect(parseFilter(equals('a', one), filterable)(another)).toBe(one === other);
      expect(parseFilter(isOneOf('a', ['no such value', one]), filterable)(document)).toBe(true);
      expect(parseFilter(isOneOf('a', [one, one]), filterable)(another)).toBe(one === other);
      expect(parseFilter(isNoneOf('a', [one]), filterable)(document)).toBe(false);
    });
    fc.assert(property, { numRuns: COUNT });
  });

  test('no key is a number, has a capital or needs an escape, and none is long', () => {
    const property = fc.property(value, (one) => {
      expect(keyOf(one)).toMatch(/^(?:is|sha)-[a-z0-9-]{1,128}$/);
      expect(Number(keyOf(one))).toBeNaN();
    });
    fc.assert(property, { numRuns: 1000 });
  });

  test('ids keep their order as keys', () => {
    const slug = fc.stringMatching(/^[a-z0-9-]{1,12}$/);
    fc.assert(
      fc.property(slug, slug, (one, other) => {
        expect(keyOf(one) < keyOf(other)).toBe(one < other);
      }),
    );
  });
});

describe('names of indexes in Meilisearch', () => {
  test('each index has a uid of its own, and what is not ours is nobody', () => {
    const name = fc.stringMatching(/^[a-z][a-z0-9_.@-]{0,63}$/);
    const property = fc.property(name, (index) => {
      expect(uidOf(index)).toMatch(/^[a-zA-Z0-9_-]{1,400}$/);
      expect(indexOf(uidOf(index))).toBe(index);
    });
    fc.assert(property, { numRuns: 1000 });
    for (const uid of ['movies', 'catalog-Movies', 'catalog-', 'CATALOG-a', 'catalog-a@1']) {
      expect(indexOf(uid)).toBeNull();
    }
  });
});

describe('queries of Meilisearch', () => {
  test('nothing that is typed is an operator, or a search for nothing', () => {
    const typed = fc.oneof(anyText(), fc.constantFrom('"a b"', '-a', 'a "', 'ـ', '\u0301', '!!'));
    const property = fc.property(fc.array(typed), (parts) => {
      const q = Array.from(parts.join(' ')).slice(0, 120).join('');
      const asked = { q, filter: {}, exclude: [], offset: 0, limit: 50 };
      const byWords = spellingsOf('uid', asked).filter(({ tier }) => tier === TIERS.words);
      for (const search of byWords.flatMap(({ searches }) => searches)) {
        expect(search.q).toMatch(/^[\p{L}\p{N}\p{M} ]*[\p{Lu}\p{Ll}\p{Lt}\p{Lo}\p{N}][\p{L}\p{N}\p{M} ]*$/u);
        expect(String(search.q).trim().split(' ').length).toBeLessThanOrEqual(10);
      }
    });
    fc.assert(property, { numRuns: 2000 });
  });

  test('the words of a long query are asked for by tens, each of them once', () => {
    const q = 'a1 b2 c3 d4 e5 f6 g7 h8 i9 j10 k11 a1 l12 m13 b2';
    const [, , typed] = spellingsOf('uid', { q, filter: {}, exclude: [], offset: 0, limit: 50 });
    expect(typed?.searches.map((search) => search.q)).toEqual([
      'a1 c3 d4 e5 f6 g7 h8 i9 j10 k11 ',
      'l12 m13 b2',
    ]);
  });
});
