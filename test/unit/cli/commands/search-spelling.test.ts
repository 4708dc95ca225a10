import { expect, test } from 'vitest';

import { spellingOf } from '../../../../src/cli/commands/search/spelling.ts';
import { readSynonyms } from '../../../../src/stores/search/query/synonyms.ts';

const synonyms = readSynonyms('Йога, медитация > ЗОЖ, здоровый образ жизни\nC++, Си плюс плюс', 'test');
const spelt = spellingOf('Моя ЙОГА', synonyms, ['Ёлки и игрушки']);

test.each([
  [['иога'], 'ЙОГА'],
  [['зож'], 'ЗОЖ'],
  [['здоровыи', 'образ', 'жизни'], 'здоровый образ жизни'],
  [['здоровыи'], 'здоровый'],
  [['cplusplus'], 'C++'],
  [['елки'], 'Ёлки'],
  [['неизвестное'], 'неизвестное'],
])('%j is written as in the query, else in the synonyms, else in a title: %s', (words, written) => {
  expect(spelt(words)).toBe(written);
});
