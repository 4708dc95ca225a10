import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { foldText, nameKey, searchWords } from '../../../../src/platform/text/search-text.ts';
import { transliterate } from '../../../../src/platform/text/transliterate.ts';

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom('е', 'ё', 'й', 'и', 'c', 'с', '+', '#', '1', '@', ' ', '_', '\u0301') }),
);

describe('the words of a text', () => {
  test.for<[string, readonly string[]]>([
    ['AI News, daily!', ['ai', 'news', 'daily']],
    ['a_cup_of_java', ['a', 'cup', 'of', 'java']],
    ['Ёлки-иголки', ['елки', 'иголки']],
    ['мой'.normalize('NFD'), ['мои']],
    ['C++, С++ и C#', ['cplusplus', 'cplusplus', 'и', 'csharp']],
    ['1С:Предприятие', ['1c', 'предприятие']],
    ['abc++ and #moscow', ['abc', 'and', 'moscow']],
    ['Ｆｕｌｌ ＷＩＤＴＨ', ['full', 'width']],
    ['про\u00ADграм\u00ADма, со\u2060юз', ['программа', 'союз']],
    ['\uFEFFfoo\u200Bbar', ['foo', 'bar']],
    ['हिन्दी समाचार', ['हिन्दी', 'समाचार']],
    ['🔥 (╯°□°）', []],
    ['', []],
  ])('of %j are %j', ([given, words]) => {
    expect(searchWords(given)).toEqual(words);
  });

  test('are the words of themselves, and hold nothing but letters, digits and marks', () => {
    fc.assert(
      fc.property(text, (given) => {
        const words = searchWords(given);
        for (const word of words) expect(word).toMatch(/^[\p{L}\p{N}\p{M}]+$/u);
        expect(searchWords(words.join(' '))).toEqual(words);
      }),
    );
  });
});

const inGeneral = (given: string): string =>
  given
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\u0300-\u036F\u00AD\u061C\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]/g, '')
    .normalize('NFC');

test('the form in which text is compared is the same for plain Russian and English, which is brought to it a shorter way, as for every text', () => {
  const first = Array.from({ length: 0x2100 }, (_, code) => String.fromCodePoint(code));
  for (const letter of first) expect(foldText(letter), letter).toBe(inGeneral(letter));
  const plain = fc.string({ unit: fc.constantFrom(...Array.from('йЙёЁиИ аЯzZ09@+#«»–—~\u0306\u0308')) });
  fc.assert(
    fc.property(plain, (given) => {
      expect(foldText(given)).toBe(inGeneral(given));
    }),
  );
});

describe('the key of a name', () => {
  test('does not depend on case, accents, the form of Unicode, outer spaces or an @', () => {
    for (const same of [
      'Ёж  Ёж',
      ' еж еж ',
      '\u200Bе\u00ADж\u200Bеж\u200E',
      '@ЁЖ ЁЖ',
      'ёж\u00A0ёж'.normalize('NFD'),
    ]) {
      expect(nameKey(same)).toBe('еж еж');
    }
  });

  test('depends on signs, and keeps what emoji are made of', () => {
    expect(nameKey('❤\uFE0F Family 👨\u200D👩')).toBe('❤\uFE0F family 👨\u200D👩');
    expect(new Set(['C', 'C#', 'C++', '🔥', '🔥🔥', '@', '´', '¨', ''].map(nameKey)).size).toBe(9);
  });
});

describe('transliteration', () => {
  test.for([
    ['докер', 'docker'],
    ['новости', 'novosti'],
    ['яндекс', 'yandex'],
    ['битрикс', 'bitrix'],
    ['вордпресс', 'wordpress'],
    ['рум', 'room'],
    ['центр', 'centr'],
    ['джаваскрипт', 'javascript'],
    ['мехмат', 'mekhmat'],
    ['щука', 'shchuka'],
    ['питон', 'python'],
    ['хаскель', 'haskell'],
    ['украінська', 'ukrainska'],
  ])('brings %s and %s to one spelling', ([russian, latin]) => {
    const [one, other] = [russian, latin].map((word) => searchWords(word as string).map(transliterate));
    expect(one).toEqual(other);
  });

  test('keeps numbers apart: only letters are written once or twice alike', () => {
    expect(new Set(['10', '100', '1000', '1100'].map(transliterate)).size).toBe(4);
    expect(transliterate('haskell')).toBe(transliterate('haskel'));
  });

  test('keeps the words of other scripts, and hears nothing of a lone sign', () => {
    expect(transliterate('समाचार')).toBe('समाचार');
    expect(transliterate('ь')).toBe('');
  });

  test('leaves a key as it is where nothing of it is written in another way', () => {
    for (const key of ['doker', 'novosti', 'iandeks', 'bitriks']) expect(transliterate(key)).toBe(key);
  });
});
