import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { expect, test } from 'vitest';

import { sourcesDigest } from '../../../../src/projecting/engine/sources.ts';
import { temporaryFolder } from '../../../support/folder.ts';

const root = temporaryFolder();

function project(files: Readonly<Record<string, string>>): URL {
  const folder = mkdtempSync(join(root, 'project-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return pathToFileURL(join(folder, 'index.ts'));
}

const index = "import { x } from './fold.ts';\nexport const y = x;\n";
const fold = 'export const x = 1;\n';
const digest = (files: Readonly<Record<string, string>>) => sourcesDigest({ roots: [project(files)] });

test('the digest follows imports, and changes with the code of an imported file', async () => {
  const before = await digest({ 'index.ts': index, 'fold.ts': fold });
  expect(await digest({ 'index.ts': index, 'fold.ts': 'export const x = 2;\n' })).not.toBe(before);
});

test('the digest does not depend on where the project stands, on comments or on indentation', async () => {
  const before = await digest({ 'index.ts': index, 'fold.ts': fold });
  const commented = `/**\n * Why.\n */\n// And how.\n\n  ${fold}`;
  expect(await digest({ 'index.ts': index, 'fold.ts': commented })).toBe(before);
});

test('a file imported for its types alone does not count', async () => {
  const typed = "import type { T } from './types.ts';\nexport const y: T = 1;\n";
  const before = await digest({ 'index.ts': typed, 'types.ts': 'export type T = number;\n' });
  expect(await digest({ 'index.ts': typed, 'types.ts': 'export type T = 1 | 2;\n' })).toBe(before);
});

test('a file that is left out counts for nothing, nor does what only it imports', async () => {
  const before = { 'index.ts': index, 'fold.ts': fold };
  const after = { 'index.ts': index, 'fold.ts': 'export const x = 2;\n' };
  const without = async (files: Readonly<Record<string, string>>) => {
    const start = project(files);
    return sourcesDigest({ roots: [start], without: [new URL('fold.ts', start)] });
  };
  expect(await without(after)).toBe(await without(before));
});
