import { expect, test } from 'vitest';

import { readAsked } from '../../../bench/asked.ts';

function names(...args: readonly string[]): readonly string[] | undefined {
  return readAsked(args)?.benchmarks.map(({ name }) => name);
}

test('a benchmark is asked for by its name or by a row that it measures', () => {
  expect(names('P4', 'P6')).toEqual(['P4', 'projection']);
});

test('without a name, all of these stores are measured; the quick form has few', () => {
  expect(names('--services')).toContain('P4');
  expect(names('--services')).not.toContain('rebuild');
  expect(names()).toContain('rebuild');
  expect(names('--quick')).toEqual(['P3', 'projection']);
});

test('the quick form has five pairs, the full one 24, unless another number is given', () => {
  expect(readAsked(['--quick'])).toMatchObject({ quick: true, pairs: 5 });
  expect(readAsked([])).toMatchObject({ quick: false, pairs: 24 });
  expect(readAsked(['--pairs', '2'])).toMatchObject({ pairs: 2 });
});

test.each([
  [['P99'], 'the names are P3, '],
  [['--pairs', 'many'], 'expected [NAME...]'],
  [['--fast'], "Unknown option '--fast'"],
  [['rebuild', '--services'], 'rebuild: on files alone, so without --services'],
])('%j is refused with what is expected', (args, message) => {
  expect(() => readAsked(args)).toThrow(message);
});

test('help is wanted whatever else is', () => {
  expect(readAsked(['--help', 'P99'])).toBeNull();
});
