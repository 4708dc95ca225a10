import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

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

  test('one slip is never further than one slip, wherever it is', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), minLength: 5, maxLength: 20 });
    fc.assert(
      fc.property(
        word,
        fc.nat(),
        fc.constantFrom('missed', 'added', 'mistaken', 'swapped'),
        (name, at, slip) => {
          const place = at % (name.length - 1);
          const [before, letter, after] = [name.slice(0, place), name[place] ?? '', name.slice(place + 1)];
          const typed = {
            missed: before + after,
            added: `${before}x${letter}${after}`,
            mistaken: `${before}x${after}`,
            swapped: before + after.slice(0, 1) + letter + after.slice(1),
          }[slip];
          expect(distanceTo(typedAs(typed), name)).toBeLessThanOrEqual(2);
        },
      ),
    );
  });
});

test('trigrams are of whole letters, with how each word begins and ends, each once', () => {
  expect(trigramsOf(['doker', 'do'])).toEqual([' do', 'dok', 'oke', 'ker', 'er ', 'do ']);
  expect(trigramsOf(['𝒳'])).toEqual([' 𝒳 ']);
  expect(trigramsOf([])).toEqual([]);
});
