import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

import { expect, test } from 'vitest';

const page = readFileSync('docs/reference/guarantees.md', 'utf8');
const tests = globSync('test/**/*.ts', { exclude: ['**/node_modules/**'] });

test('every file of tests that the page of guarantees names is there', () => {
  const named = [...page.matchAll(/`(test\/[\w./*-]+\.ts|[\w.-]+\.test\.ts)`/g)].map(([, name = '']) => name);
  const missing = named.filter((name) =>
    name.startsWith('test/') ? globSync(name).length === 0 : !tests.some((file) => basename(file) === name),
  );
  expect(named.length).toBeGreaterThan(100);
  expect(missing).toEqual([]);
});
