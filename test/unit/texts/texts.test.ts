import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { fill, pieces } from '../../../src/texts/fill.ts';
import { formats } from '../../../src/texts/formats.ts';
import { counted, duration, number } from '../../../src/texts/english-amounts.ts';
import { LOCALES, TEXTS } from '../../../src/texts/texts.ts';
import { leavesOf } from '../../support/leaves.ts';

const [russian, english] = LOCALES.map((locale) => leavesOf(TEXTS[locale]));

describe('every text', () => {
  test('stands in both languages, with the same places, code and addresses', () => {
    expect(russian?.map(([path]) => path)).toEqual(english?.map(([path]) => path));
    for (const [index, [path, text]] of (english ?? []).entries()) {
      expect(markedIn(String(russian?.[index]?.[1])), path).toEqual(markedIn(text));
    }
  });

  test('is Russian in Russian', () => {
    const left = (russian ?? []).flatMap(([path, text]) => (/[а-яё]/i.test(text) ? [] : [path]));
    // A link alone.
    expect(left).toEqual(['docs.summary.machineIs']);
  });

  test('has the forms by number of its language, and no other', () => {
    for (const locale of LOCALES) {
      const rules = [...new Intl.PluralRules(locale).resolvedOptions().pluralCategories].sort();
      const plurals = leavesOf(TEXTS[locale]).filter(([, text]) => text.includes(', plural,'));
      for (const [path, text] of plurals) {
        const forms = [...text.matchAll(/ (\w+) \{/g)].map(([, rule]) => String(rule));
        expect(forms.toSorted(), path).toEqual(rules);
      }
    }
  });

  // A weak net: it knows names, not ways. A key of its own that nobody reads, and a place that nobody fills, are caught.
  test('is read somewhere, and its places are filled somewhere', () => {
    const root = join(import.meta.dirname, '../../..');
    const files = globSync(['{src,projections}/**/*.ts', 'src/**/*.js'], { cwd: root });
    const code = files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
    const names = new Set([...code.matchAll(/[\w-]+/g)].map(([name]) => name));
    const keys = (english ?? []).map(([path]) => path.split('.').findLast((key) => !/^\d$/.test(key)));
    const places = (english ?? []).flatMap(([, text]) => placesIn(text));
    expect([...keys, ...places].filter((name) => !names.has(String(name)))).toEqual([]);
  });
});

/** What must be in both: places, code, and addresses of links but for their language. */
function markedIn(text: string): readonly string[] {
  const marked = [...text.matchAll(/`[^`]+`|\]\([^)]+\)/g)].map(([one]) => one);
  const alike = marked.map((one) => one.replace(/\?lang=ru|\b(?:ru|en)(?=\/reference)/g, ''));
  return [...new Set([...alike, ...placesIn(text)])].sort();
}

function placesIn(text: string): readonly string[] {
  return [...text.matchAll(/\{(\w+)[,}]/g)].map(([, name]) => String(name));
}

describe('filling', () => {
  test('writes numbers as the language does, and says a phrase by its plural rules', () => {
    const said = (locale: 'ru' | 'en') => (count: number) =>
      fill(TEXTS[locale].shell.entries, { count }, locale);
    expect([1, 2, 5, 21, 1234].map(said('ru'))).toEqual([
      '1 запись',
      '2 записи',
      '5 записей',
      '21 запись',
      '1234 записи',
    ]);
    expect([1, 2, 1234].map(said('en'))).toEqual(['1 entry', '2 entries', '1,234 entries']);
    expect(fill('{a} of {b}', { a: 1234.5, b: '1234' }, 'en')).toBe('1,234.5 of 1234');
  });

  test('puts nothing but the values into a text, and each once', () => {
    expect(fill('{a} {b}', { a: '{b}', b: '{a}' }, 'en')).toBe('{b} {a}');
    expect(pieces('- {a}.', { a: { quoted: 'x' } }, 'en')).toEqual(['- ', { quoted: 'x' }, '.']);
  });

  test('fails where nothing fills a place, and leaves those of curl', () => {
    expect(() => fill('{a} {b.c}', { a: '1' }, 'en')).toThrow('{b.c}');
    expect(() => fill('{toString}', {}, 'en')).toThrow('{toString}');
    expect(fill('{a} %{http_code} {#a}', { a: '1' }, 'en')).toBe('1 %{http_code} {#a}');
  });
});

describe('formats', () => {
  const [ru, en] = [formats('ru'), formats('en')];

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
    expect(en.duration(90_061_000)).toBe('1\u00a0d 1\u00a0h');
    expect(ru.duration(551_000)).toBe('9\u00a0мин 11\u00a0с');
    expect([0, 850, 4000, 4210, 59_960].map(duration)).toEqual(['0 ms', '850 ms', '4 s', '4.2 s', '1 min']);
    expect([200_000, 7_200_000, 273_600_000].map(duration)).toEqual(['3 min 20 s', '2 h', '3 d 4 h']);
  });

  test('are those of a keyboard on a terminal', () => {
    expect([number(-1234), number(0.25)]).toEqual(['-1,234', '0.25']);
    expect([counted(1, 'event'), counted(1234, 'entry', 'entries')]).toEqual(['1 event', '1,234 entries']);
    expect(en.number(-1234)).toBe('\u22121,234');
  });
});
