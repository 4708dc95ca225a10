import { expect, test } from 'vitest';

import { readAsked } from '../../../bench/asked.ts';

function names(...args: readonly string[]): readonly string[] | undefined {
  return readAsked(args)?.benchmarks.map(({ name }) => name);
}

test('a benchmark is asked for by its name or by a row that it measures', () => {
  expect(names('P4', 'P15')).toEqual(['P4', 'projection']);
});

test('without a name, all of these stores are measured; the quick form has few', () => {
  expect(names('--services')).toContain('scale-out');
  expect(names('--services')).not.toContain('P1');
  expect(names()).not.toContain('scale-out');
  expect(names('--quick')).toEqual(['P1', 'P1b', 'P2', 'P10', 'projection']);
});

test('the quick form has five pairs, the full one 24, unless another number is given', () => {
  expect(readAsked(['--quick'])).toMatchObject({ quick: true, pairs: 5 });
  expect(readAsked([])).toMatchObject({ quick: false, pairs: 24 });
  expect(readAsked(['--pairs', '2'])).toMatchObject({ pairs: 2 });
});

test.each([
  [['P99'], 'the names are P1, '],
  [['--pairs', 'many'], 'expected [NAME...]'],
  [['--fast'], "Unknown option '--fast'"],
  [['scale-out'], 'scale-out: on services alone, so with --services'],
  [['P1', '--services'], 'P1: on files alone, so without --services'],
])('%j is refused with what is expected', (args, message) => {
  expect(() => readAsked(args)).toThrow(message);
});

test('help is wanted whatever else is', () => {
  expect(readAsked(['--help', 'P99'])).toBeNull();
});
