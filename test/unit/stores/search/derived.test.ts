import { expect, test } from 'vitest';

import { derivedFrom } from '../../../../src/stores/search/query/russian-derivation.ts';

test.for([
  ['котики', 'кот'],
  ['книжки', 'книг'],
  ['мемасики', 'мем'],
  ['собачки', 'собак'],
  ['андроидщики', 'андроид'],
  ['котлинистов', 'котлин'],
  ['переводить', 'перевод'],
  ['программировать', 'программирование'],
  ['расшифровать', 'расшифровка'],
] as const)('%s may be made from %s, or stand beside it', ([word, other]) => {
  expect(derivedFrom(word)).toContain(other);
});

test.for(['rust', 'кот', 'дом', 'ик', '1с', ''])('%j is made from nothing', (word) => {
  expect(derivedFrom(word)).toEqual([]);
});
