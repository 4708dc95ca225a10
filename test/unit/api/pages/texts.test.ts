import { describe, expect, test } from 'vitest';

import { PAGE_TEXTS } from '../../../../src/api/pages/docs/writing.ts';
import { leavesOf } from '../../../support/leaves.ts';

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
    const english = leavesOf(ru).flatMap(([path, text]) => (/[а-яё]/i.test(text) ? [] : [path]));
    expect(english).toEqual(['summary.machineIs']);
  });
});

/** What must be in both: places, code, and addresses of links but for their language. */
function markedIn(text: string): readonly string[] {
  const marked = [...text.matchAll(/\{+\w+\}+|`[^`]+`|\]\([^)]+\)/g)].map(([one]) => one);
  const alike = marked.map((one) => one.replace(/\?lang=ru|\b(?:ru|en)(?=\/reference)/g, ''));
  return [...new Set(alike)].sort();
}
