import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { COUNTED, COUNTING } from '../../../../src/api/pages/docs/sections/counting.ts';
import { PAGE_TEXTS } from '../../../../src/api/pages/docs/writing.ts';
import { ERROR_CODES } from '../../../../src/api/problems.ts';
import { leavesOf } from '../../../support/leaves.ts';

const reference = (name: string) =>
  readFileSync(join(import.meta.dirname, `../../../../docs/reference/${name}`), 'utf8');
const { en, ru } = PAGE_TEXTS;

describe('the texts of the pages', () => {
  test('have the same places, code and addresses in both languages', () => {
    const english = leavesOf(en);
    const russian = leavesOf(ru);
    expect(russian.map(([path]) => path)).toEqual(english.map(([path]) => path));
    for (const [index, [path, text]] of english.entries()) {
      expect(markedIn(String(russian[index]?.[1])), path).toEqual(markedIn(text));
    }
  });

  test('Russian is Russian: no text is left in English', () => {
    const withoutWords = new Set([
      'summary.machineIs',
      ...['answered', 'unchanged', 'unauthorized', 'method', 'usedUp', 'preflight'].map(
        (name) => `counting.${name}`,
      ),
    ]);
    const english = leavesOf(ru).flatMap(([path, text]) => (/[а-яё]/i.test(text) ? [] : [path]));
    expect(english.filter((path) => !withoutWords.has(path))).toEqual([]);
  });
});

describe('docs/reference says the same as the page', () => {
  test('of every error code', () => {
    const page = reference('errors.md');
    for (const code of ERROR_CODES) {
      const [, paragraph = ''] = new RegExp(`## \`${code}\`\\n\\n(.*?)\\n\\n`, 's').exec(page) ?? [];
      expect(paragraph.replaceAll('\n', ' ')).toBe(en.errors.codes[code]);
    }
  });

  test('of what counts', () => {
    const rows = [...reference('api.md').matchAll(/^\| (.+?) +\| ([01]) +\|$/gm)];
    expect(rows.map(([, text, cost]) => [text, Number(cost)])).toEqual(
      COUNTED.map((name) => [en.counting[name], COUNTING[name]]),
    );
  });
});

/** What must be in both: places, code, and addresses of links but for their language. */
function markedIn(text: string): readonly string[] {
  const marked = [...text.matchAll(/\{\w+\}|`[^`]+`|\]\([^)]+\)/g)].map(([one]) => one);
  const alike = marked.map((one) => one.replace(/\?lang=ru|\b(?:ru|en)(?=\/reference)/g, ''));
  return [...new Set(alike)].sort();
}
