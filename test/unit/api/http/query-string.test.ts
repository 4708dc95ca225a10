import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { hasKeyInQuery, parseQuery } from '../../../../src/api/http/query-string.ts';
import { heldMemory } from '../../../support/memory.ts';

test('whatever is encoded comes back as it was', () => {
  const text = fc.string({ unit: 'grapheme' });
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text)), (pairs) => {
      const query = pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
      const expected = pairs.map(([name, value]) => ({ name, value }));
      expect(parseQuery(`/top?${query.join('&')}`)).toEqual(expected);
    }),
    { numRuns: 1000 },
  );
});

test.each([
  ['/a?b=c+d', [{ name: 'b', value: 'c d' }]],
  ['/a?b=c%2Bd', [{ name: 'b', value: 'c+d' }]],
  ['/a?b', [{ name: 'b', value: '' }]],
  ['/a?b=c=d', [{ name: 'b', value: 'c=d' }]],
  ['/a?&&b=1&', [{ name: 'b', value: '1' }]],
  ['/a?', []],
])('%s is read as it stands', (url, parameters) => {
  expect(parseQuery(url)).toEqual(parameters);
});

test.each(['/%', '/%zz', '/%ff', '/%C3', '/a?%', '/a?b=%ED%A0%80', '/a?b=%FF'])(
  'the encoding of %s is broken',
  (url) => {
    expect(parseQuery(url)).toBeNull();
  },
);

test('a key in the query is found under every name, in any case', () => {
  const found = (query: string) => hasKeyInQuery(parseQuery(`/a?${query}`) ?? []);
  expect(['X-Api-Key=1', 'api_KEY=1', 'apikey', 'a=1&key=2', '%6Bey=1', 'TOKEN='].every(found)).toBe(true);
  expect(['keys=1', 'a=key', 'tokens=1'].some(found)).toBe(false);
});

test('what is kept of an address keeps nothing else of it', () => {
  const addresses = 500;
  const kept: string[] = [];
  const before = heldMemory().heapUsed;
  for (let index = 0; index < addresses; index += 1) {
    const address = Buffer.from(`/top?category=a-category-${index}${'&'.repeat(8000)}`).toString('latin1');
    kept.push(...(parseQuery(address) ?? []).map(({ value }) => value));
  }
  const taken = heldMemory().heapUsed - before;
  expect(kept).toHaveLength(addresses);
  expect(taken / addresses).toBeLessThan(1000);
});
