import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { createProvenMap } from '../../../src/platform/proven-map.ts';

/** With room for ten values of size 1 on probation, and for 310 that are proven. */
const BOUND = 320;
const keysOf = (name: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${name} ${index}`);

function filled() {
  const map = createProvenMap<string>(BOUND);
  const put = (keys: readonly string[]): void => {
    for (const key of keys) map.set(key, key, 1);
  };
  const kept = (keys: readonly string[]): number => keys.filter((key) => map.peek(key) === key).length;
  return { map, put, kept };
}

describe('a map in which values prove themselves', () => {
  test('of a scan, keeps the last few alone', () => {
    const { put, kept } = filled();
    const scan = keysOf('scanned', 5000);
    put(scan);
    expect([kept(scan), kept(scan.slice(-10))]).toEqual([10, 10]);
  });

  test('keeps what was asked for while it was there, whatever a scan goes on with', () => {
    const { map, put, kept } = filled();
    const hot = keysOf('hot', 10);
    put(hot);
    for (const key of hot) map.get(key);
    put(keysOf('scanned', 50_000));
    expect(kept(hot)).toBe(10);
  });

  test('keeps what comes again soon after it left unused', () => {
    const { put, kept } = filled();
    const hot = keysOf('hot', 10);
    put(hot);
    put(keysOf('scanned', 100));
    expect(kept(hot)).toBe(0);
    put(hot);
    put(keysOf('scanned again', 5000));
    expect(kept(hot)).toBe(10);
  });

  test('a look is no use', () => {
    const { map, put, kept } = filled();
    put(['looked at']);
    map.peek('looked at');
    put(keysOf('scanned', 100));
    expect(kept(['looked at'])).toBe(0);
  });

  test('what takes the place of another one was asked for again', () => {
    const { map, put } = filled();
    map.set('a', 'old', 1);
    map.set('a', 'new', 1);
    put(keysOf('scanned', 100));
    expect(map.get('a')).toBe('new');
  });

  test('what is too large for probation is proven at once, and what is larger than the bound is not kept', () => {
    const { map, put } = filled();
    map.set('large', 'large', 100);
    put(keysOf('scanned', 100));
    expect(map.get('large')).toBe('large');
    map.set('large', 'larger', BOUND + 1);
    expect(map.get('large')).toBeUndefined();
  });

  test('what is forgotten is gone, wherever it stood', () => {
    const { map, put } = filled();
    put(['new']);
    map.set('proven', 'proven', 100);
    for (const key of ['new', 'proven', 'absent']) map.delete(key);
    expect(['new', 'proven', 'absent'].map((key) => map.peek(key))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('with a bound of 0 keeps nothing', () => {
    const map = createProvenMap<string>(0);
    map.set('a', 'a', 1);
    expect(map.get('a')).toBeUndefined();
  });

  const step = fc.record({
    kind: fc.constantFrom('set', 'set', 'get', 'grow', 'delete'),
    key: fc.integer({ min: 0, max: 60 }).map(String),
    size: fc.integer({ min: 1, max: 40 }),
  });

  test('never keeps more than its bound, nor another value than the last one', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const map = createProvenMap<{ size: number }>(BOUND);
        const last = new Map<string, { size: number }>();
        const found = new Set<unknown>([undefined]);
        for (const { kind, key, size } of steps) {
          const known = last.get(key);
          if (kind === 'set') {
            const value = { size };
            last.set(key, value);
            map.set(key, value, size);
          } else if (kind === 'delete') {
            map.delete(key);
            last.delete(key);
          } else if (kind === 'grow' && known && map.peek(key)) {
            known.size += size;
            map.grow(key, known, size);
          }
          const other = kind === 'get' ? map.get(key) : map.peek(key);
          if (other !== last.get(key)) found.add(other);
        }
        expect([...found]).toEqual([undefined]);
        const kept = [...last].filter(([key]) => map.peek(key) !== undefined);
        expect(kept.reduce((sum, [, { size }]) => sum + size, 0)).toBeLessThanOrEqual(BOUND);
      }),
    );
  });
});
