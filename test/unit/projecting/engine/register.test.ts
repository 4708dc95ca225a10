import { describe, expect, test } from 'vitest';

import { keyed, lastWriterWins, record, type Written } from '../../../../src/projecting/engine/register.ts';

const lww = lastWriterWins<string>();
const at = (revision: number, value: string | null, digest = 'a'): Written<string> => ({
  at: revision,
  digest,
  value,
});

describe('last writer wins', () => {
  test('the higher revision wins in either order', () => {
    expect(lww.join(at(1, 'old'), at(2, 'new'))?.value).toBe('new');
    expect(lww.join(at(2, 'new'), at(1, 'old'))?.value).toBe('new');
  });

  test('at one revision a tombstone beats a value, whatever their digests', () => {
    expect(lww.join(at(1, 'x', 'f'), at(1, null, '0'))?.value).toBeNull();
    expect(lww.join(at(1, null, '0'), at(1, 'x', 'f'))?.value).toBeNull();
  });

  test('at one revision the greater digest wins, and both are counted as a conflict', () => {
    expect(lww.join(at(1, 'x', '9'), at(1, 'y', 'a'))?.value).toBe('y');
    expect(lww.conflicts(at(1, 'x', '9'), at(1, 'y', 'a'))).toBe(1);
    expect(lww.conflicts(at(1, 'x', '9'), at(1, 'x', '9'))).toBe(0);
  });

  test('at one revision the order of arrival decides nothing', () => {
    const ties = [at(1, 'x', '9'), at(1, 'y', 'a'), at(1, null, '5'), at(1, null, '0')];
    for (const a of ties) for (const b of ties) expect(lww.join(a, b)).toEqual(lww.join(b, a));
  });

  test('at one revision the value of the higher rank wins, whatever the digests, and a tombstone over both', () => {
    const ranked = lastWriterWins<string>((value) => value.length);
    const [long, short, none] = [at(1, 'long', '0'), at(1, 's', 'f'), at(1, null, '0')];
    for (const [a, b] of [
      [long, short],
      [short, long],
    ] as const)
      expect(ranked.join(a, b)?.value).toBe('long');
    expect(ranked.join(long, none)?.value).toBeNull();
    expect(ranked.join(at(1, 'a', '9'), at(1, 'b', 'a'))?.value).toBe('b');
    expect(ranked.join(at(2, 's'), long)?.value).toBe('s');
  });

  test('a loser leaves the same reference behind', () => {
    const winner = at(2, 'x');
    expect(lww.join(winner, at(1, 'y'))).toBe(winner);
    expect(lww.join(winner, at(2, 'x'))).toBe(winner);
  });
});

describe('a keyed register', () => {
  const map = keyed(lww);

  test('joins key by key, and keeps the same reference where nothing is added', () => {
    const both = map.join({ a: at(1, 'a1') }, { a: at(2, 'a2'), b: at(1, 'b1') });
    expect(both).toEqual({ a: at(2, 'a2'), b: at(1, 'b1') });
    expect(map.join(both, { a: at(1, 'a1') })).toBe(both);
  });

  test('takes keys that every object inherits for what they are: keys', () => {
    const joined = map.join({}, { constructor: at(1, 'x'), toString: at(1, 'y') });
    expect(Object.keys(joined)).toEqual(['constructor', 'toString']);
  });
});

describe('registers side by side', () => {
  const both = record({ left: lww, right: lww });

  test('join field by field, and keep the same reference where nothing is added', () => {
    const state = both.join({ left: at(1, 'l'), right: null }, { left: null, right: at(1, 'r') });
    expect(state).toEqual({ left: at(1, 'l'), right: at(1, 'r') });
    expect(both.join(state, both.empty)).toBe(state);
  });

  test('add up their conflicts', () => {
    const a = { left: at(1, 'x', '1'), right: at(1, 'x', '1') };
    expect(both.conflicts(a, { left: at(1, 'y', '2'), right: at(1, 'y', '2') })).toBe(2);
  });
});
