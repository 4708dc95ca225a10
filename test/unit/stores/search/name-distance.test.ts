import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { slipsBetween } from '../../../../src/platform/text/edit-distance.ts';
import { distanceTo, trigramsOf, typedAs } from '../../../../src/stores/search/name-distance.ts';

describe('how far a name is from what was typed', () => {
  test.for<[string, string, number | null]>([
    ['docker', 'docker', 0],
    ['dokcer', 'docker', 2],
    ['doker', 'docker', 2],
    ['dockeer', 'docker', 2],
    ['docket', 'docker', 2],
    ['dokcer', 'docker novosibirsk', 3],
    ['docker novosibrsk', 'docker novosibirsk', 2],
    ['novosibrsk docker', 'docker novosibirsk', 3],
    ['docker novosib', 'docker novosibirsk', 1],
    ['novosib dockr', 'docker novosibirsk', null],
    ['operatingsystem', 'operating system', 0],
    ['operating sistem', 'operatingsystem', 2],
    ['dxckxr', 'docker', null],
    ['abc', 'abd', null],
    ['jaav', 'java', 2],
    ['kubrenetse', 'kubernetes', 4],
    ['kbrenetse', 'kubernetes', null],
  ])('%s and %s: %s', ([typed, name, expected]) => {
    expect(distanceTo(typedAs(typed), name)).toBe(expected);
  });

  test('the nearest of several names counts', () => {
    expect(distanceTo(typedAs('docker'), 'podman\ndocker hub\ndocker')).toBe(0);
  });
});

test('names are as far as their words and their letters say, one by one', () => {
  const word = fc.string({
    unit: fc.constantFrom('a', 'b', 'k', 'o', '1', '5'),
    minLength: 1,
    maxLength: 10,
  });
  const text = fc.array(word, { minLength: 1, maxLength: 3 });
  const names = fc.array(text, { minLength: 1, maxLength: 3 });
  const slips = (typed: string, other: string, isBegun: boolean): number => {
    const allowed = typed.length < 4 ? 0 : typed.length < 9 ? 1 : 2;
    const others = isBegun
      ? Array.from({ length: other.length + 1 }, (_, at) => other.slice(0, at))
      : [other];
    return Math.min(...others.map((one) => slipsBetween(typed, one, allowed)));
  };
  const expected = (typed: readonly string[], named: readonly (readonly string[])[]): number => {
    const each = typed.map((one, at) =>
      Math.min(...named.flat().map((other) => slips(one, other, at === typed.length - 1))),
    );
    const glued = named.flatMap((words) =>
      [2, 2].map((of, at) => of * slips(typed.join(''), words.join(''), at === 1) + at),
    );
    return Math.min(2 * each.reduce((sum, one) => sum + one, 0) + 1, ...glued);
  };
  // Half of them begin as one of the names does, but for a letter.
  const typo = fc.record({ at: fc.nat(8), letter: fc.constantFrom('a', 'q', '2') });
  fc.assert(
    fc.property(text, names, fc.option(typo), (other, named, slip) => {
      const first = named[0] ?? [];
      const typed =
        slip === null
          ? other
          : first.map((one) => one.slice(0, slip.at) + slip.letter + one.slice(slip.at + 1));
      const distance = distanceTo(typedAs(typed.join(' ')), named.map((words) => words.join(' ')).join('\n'));
      expect(distance ?? Infinity).toBe(expected(typed, named));
    }),
    { numRuns: 1000 },
  );
});

test('trigrams are of whole letters, with how each word begins and ends, each once', () => {
  expect(trigramsOf(['doker', 'do'])).toEqual([' do', 'dok', 'oke', 'ker', 'er ', 'do ']);
  expect(trigramsOf(['𝒳'])).toEqual([' 𝒳 ']);
  expect(trigramsOf([])).toEqual([]);
});
