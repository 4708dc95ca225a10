import { expect, test } from 'vitest';

import { isHeard } from '../../../../src/stores/search/query/word-forms.ts';

test('a word is heard from three letters on, however many units of text a letter takes', () => {
  const heard = ['аб', 'абв', '𐐨𐐩', '𐐨𐐩𐐪', 'a𐐨', 'a𐐨𐐩', 'abcdef'].filter(isHeard);
  expect(heard).toEqual(['абв', '𐐨𐐩𐐪', 'a𐐨𐐩', 'abcdef']);
});
