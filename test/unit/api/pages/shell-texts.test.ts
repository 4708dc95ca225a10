import { describe, expect, test } from 'vitest';

import { OPERATOR_TEXTS } from '../../../../src/admin/operator/texts.ts';
import { ACCOUNT_TEXTS } from '../../../../src/api/pages/account/texts.ts';
import { PAGE_TEXTS } from '../../../../src/api/pages/docs/writing.ts';
import { formats } from '../../../../src/api/pages/shell/formats.ts';
import { SHELL_TEXTS } from '../../../../src/api/pages/shell/texts.ts';
import { FINDING_TEXTS } from '../../../../src/operations/texts/finding-texts.ts';
import { leavesOf } from '../../../support/leaves.ts';

const ALL = {
  SHELL_TEXTS,
  ACCOUNT_TEXTS,
  PAGE_TEXTS,
  OPERATOR_TEXTS,
  FINDING_TEXTS,
};

/** Texts that are the same in both languages. */
const ALIKE = new Set(['summary.machineIs']);

describe.each(Object.entries(ALL))('%s', (_name, { ru, en }) => {
  const [english, russian] = [leavesOf(en), leavesOf(ru)];

  test('has every text in both languages, with the same places, code and addresses', () => {
    expect(russian.map(([path]) => path)).toEqual(english.map(([path]) => path));
    for (const [index, [path, text]] of english.entries()) {
      // English has no forms for few and many.
      if (text === '') continue;
      expect(markedIn(String(russian[index]?.[1])), path).toEqual(markedIn(text));
    }
  });

  test('has no English text in Russian', () => {
    const left = russian.flatMap(([path, text]) => (/[а-яё]/i.test(text) ? [] : [path]));
    expect(left.filter((path) => !ALIKE.has(path))).toEqual([]);
  });
});

/** What must be in both: places, code, and addresses of links but for their language. */
function markedIn(text: string): readonly string[] {
  const marked = [...text.matchAll(/\{+\w+\}+|`[^`]+`|\]\([^)]+\)/g)].map(([one]) => one);
  const alike = marked.map((one) => one.replace(/\?lang=ru|\b(?:ru|en)(?=\/reference)/g, ''));
  return [...new Set(alike)].sort();
}

describe('formats', () => {
  const [ru, en] = [formats('ru'), formats('en')];

  test('number things by the plural rules of the language', () => {
    const forms = { ru: SHELL_TEXTS.ru.entries, en: SHELL_TEXTS.en.entries };
    expect([1, 2, 5, 21, 1234].map((count) => ru.plural(forms.ru, count))).toEqual([
      '1 запись',
      '2 записи',
      '5 записей',
      '21 запись',
      '1234 записи',
    ]);
    expect([1, 2, 1234].map((count) => en.plural(forms.en, count))).toEqual([
      '1 entry',
      '2 entries',
      '1,234 entries',
    ]);
  });

  test('show times in UTC, wherever the machine stands', () => {
    expect(en.moment('2026-01-31T23:59:00Z')).toBe('31 Jan 2026, 23:59 UTC');
    expect(ru.day('2026-01-31')).toBe('31 января 2026\u00a0г.');
  });

  test('call languages and countries by their names, and what is none by itself', () => {
    expect([en.language('ru'), ru.language('en')]).toEqual(['Russian', 'Английский']);
    expect([en.country('GB'), ru.country('GB')]).toEqual(['United Kingdom', 'Великобритания']);
    expect([en.language('xx'), en.language('no tag!'), en.country('?')]).toEqual(['xx', 'no tag!', '?']);
  });

  test('show the two largest units of a time', () => {
    expect(en.duration(90_061)).toBe('1\u00a0d 1\u00a0h');
    expect(ru.duration(551)).toBe('9\u00a0мин 11\u00a0с');
    expect(en.duration(0)).toBe('0\u00a0s');
  });
});
