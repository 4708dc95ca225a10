import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { placedWords } from '../../../../../src/stores/search/query/placed-words.ts';
import { searchWords } from '../../../../../src/platform/text/search-text.ts';
import { anyText } from '../../../../support/any-text.ts';
import { words } from '../../../../support/words.ts';

/** Pieces that are hard to bring to one form, beside any others. */
const HARD = fc.constantFrom(
  'ЁЛКА й',
  ...words('C++ С# 1С İstanbul ΟΔΟΣ ½ ㏂ ﬁ 👩‍💻 𝐀𝐈 e\u0301 \u0301 각 ᄀ ᅡ ᆨ ｶﾞ は\u3099 a\u0323\u0307'),
  ...words('\u0307\u0323 ﷺ _'),
  ' ',
  ...words('+ # ＃ क्षि ো 𑄮 \u200D'),
);

describe('words with their places', () => {
  test('are the words that are searched, whatever the text', () => {
    const text = fc.array(fc.oneof(HARD, anyText(4)), { maxLength: 12 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (told) => {
        expect(placedWords(told).map(({ word }) => word)).toEqual(searchWords(told));
      }),
      { numRuns: 2000 },
    );
  });

  test('stand one behind another, within the text', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(HARD, anyText(4)), { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        for (const { start, end } of placedWords(text)) {
          expect(start).toBeLessThan(end);
          expect(end).toBeLessThanOrEqual(Array.from(text).length);
        }
      }),
    );
  });

  test.each([
    ['Новости ИИ', 'новости=Новости ии=ИИ'],
    ['👩‍💻 𝐀𝐈 daily', 'ai=𝐀𝐈 daily=daily'],
    ['Cafe\u0301 «Ёлка»', 'cafe=Cafe\u0301 елка=Ёлка'],
    ['Учим C++17, C# и 1С!', 'учим=Учим cplusplus17=C++17 csharp=C# и=и 1c=1С'],
    ['my_first_bot', 'my=my first=first bot=bot'],
    ['ΟΔΟΣ', 'οδος=ΟΔΟΣ'],
    ['한국 각', '한국=한국 각=각'],
  ])('%s', (text, expected) => {
    const letters = Array.from(text);
    const shown = placedWords(text).map(
      ({ word, start, end }) => `${word}=${letters.slice(start, end).join('')}`,
    );
    expect(shown.join(' ')).toBe(expected);
  });
});
