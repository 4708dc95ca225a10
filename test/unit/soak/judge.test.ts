import { expect, test } from 'vitest';

import { judge } from '../../soak/judge.ts';
import type { Sample } from '../../soak/sample.ts';

const FLAT: Sample = { rss: 200e6, descriptors: 70, delayMs: 20, heap: 50e6, external: 50e6 };

function wrongOf(sampleAt: (index: number) => Partial<Sample>): readonly (string | null)[] {
  const samples = Array.from({ length: 90 }, (_, index) => ({ ...FLAT, ...sampleAt(index) }));
  return judge(samples).flatMap(({ wrong }) => (wrong === null ? [] : [wrong]));
}

test('what stays is flat, also where it goes up and down or jumps once', () => {
  expect(wrongOf(() => ({}))).toEqual([]);
  expect(
    wrongOf((index) => ({ rss: 200e6 + (index % 7) * 5e6, external: index % 2 === 0 ? 40e6 : 60e6 })),
  ).toEqual([]);
  expect(wrongOf((index) => ({ rss: index === 80 ? 400e6 : 200e6 }))).toEqual([]);
});

test('filling up at the beginning is no growth', () => {
  expect(wrongOf((index) => ({ rss: Math.min(200e6, 100e6 + index * 5e6) }))).toEqual([]);
});

test.each(['rss', 'descriptors', 'external', 'delayMs'] as const)(
  '%s that goes on growing is told',
  (what) => {
    expect(wrongOf((index) => ({ [what]: FLAT[what] * (1 + index / 5) }))).toEqual([`${what} grows`]);
  },
);
