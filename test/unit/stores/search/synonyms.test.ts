import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { readConfig } from '../../../../src/config.ts';
import { UsageError } from '../../../../src/platform/errors.ts';
import { shippedSynonyms } from '../../../../src/stores/search/query/synonyms.ts';
import { temporaryFolder } from '../../../support/folder.ts';

const folder = temporaryFolder();

function configured(text: string | Uint8Array): ReturnType<typeof readConfig> {
  const path = join(folder, 'synonyms.txt');
  writeFileSync(path, text);
  return readConfig({ CATALOG_SYNONYMS: path });
}

test('the shipped synonyms are 150 groups and more', () => {
  expect(new Set([...shippedSynonyms().groups.values()].flat()).size).toBeGreaterThanOrEqual(150);
});

test('a file of the operator is read in the place of the shipped one', () => {
  const { synonyms } = configured('# ours\n\nшаурма, shawarma > еда\n');
  expect(synonyms?.words).toEqual(new Set(['шаурма', 'shawarma']));
  expect(readConfig({}).synonyms).toBeNull();
});

test.for([
  ['a, b\nalone\n', /line 2: "alone" is a group of one/],
  ['a, b\n\na,, b\n', /line 3: "" has no words/],
  ['a, b > c > d', /line 1: `>` stands twice/],
  ['a, b < c < d', /line 1: `<` stands twice/],
  ['a, A', /line 1: "A" stands twice/],
  ['one two three four five six, b', /line 1: .* more than 5 words/],
] as const)('%j stops the start with its line', ([text, message]) => {
  expect(() => configured(text)).toThrow(UsageError);
  expect(() => configured(text)).toThrow(message);
});

test('a file that is none, or no text, is told', () => {
  expect(() => readConfig({ CATALOG_SYNONYMS: join(folder, 'missing') })).toThrow(
    /CATALOG_SYNONYMS: .*missing/,
  );
  expect(() => configured(new Uint8Array([0xff, 0xfe, 0xff]))).toThrow(/cannot be read as UTF-8/);
});
