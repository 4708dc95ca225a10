import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { LOCALES, TEXTS } from '../../../src/texts/texts.ts';
import { errorBody } from '../../../src/api/error-answer.ts';
import { problem, PROBLEMS, type ProblemName, ERROR_CODES } from '../../../src/api/problems.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/reference/errors.md'), 'utf8');
const names = Object.keys(PROBLEMS) as ProblemName[];

describe('docs/reference/errors.md', () => {
  test('lists every problem with its status and both messages, in order', () => {
    const rows = names.map((name) => {
      const [en, ru] = [TEXTS['en'].api.problems[name], TEXTS['ru'].api.problems[name]];
      return `| ${PROBLEMS[name].status} | \`${PROBLEMS[name].code}\` | ${en} | ${ru} |`;
    });
    const lines = page.split('\n').filter((line) => /^\| \d{3} /.test(line));
    // Tables are padded to their widest cell.
    const listed = lines.map((line) => line.replace(/ +\|/g, ' |'));
    expect(listed).toEqual(rows);
  });

  test('has a paragraph for every code', () => {
    const headings = [...page.matchAll(/^## `(\w+)`$/gm)].map((match) => match[1]);
    expect(headings).toEqual([...ERROR_CODES]);
  });
});

describe('problems', () => {
  test('use the codes of the schema, and all of them', () => {
    expect([...new Set(names.map((name) => PROBLEMS[name].code))].sort()).toEqual([...ERROR_CODES].sort());
  });

  test.each(LOCALES)('put nothing but given values into a message, in %s', (locale) => {
    const accepts = () => '{name} and {accepts}';
    const { message } = errorBody(problem('wrong_parameter', { name: 'limit', accepts }), locale, '').error;
    expect(message).toContain('limit');
    expect(message).toContain('{name} and {accepts}');
  });
});
