import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/security.md'), 'utf8');

test('each control in docs/security.md names a test that there is', () => {
  const section = page.split('\n## ').find((one) => one.startsWith('Controls'));
  const rows = section?.split('\n').filter((line) => line.startsWith('| ')) ?? [];
  const held = rows.slice(2).map((row) => row.split('|')[2]?.match(/`[^`]+`/g) ?? []);
  expect(held.length).toBeGreaterThan(10);
  for (const names of held) {
    expect(names.length).toBeGreaterThan(0);
    for (const name of names)
      expect(globSync(`test/${name.slice(1, -1)}.test.ts`, { cwd: root }), name).not.toEqual([]);
  }
});
