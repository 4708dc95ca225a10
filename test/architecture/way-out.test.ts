import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** `no-console` of the linter sees to the rest: texts of ours may show a `console.log`. */
test('one file writes to standard output and standard error, so that nothing from outside gets past it', () => {
  const writing = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .filter((name) =>
      /\bprocess\s*\.\s*(?:stdout|stderr)|_rawDebug|\bstdout\b.*from 'node:process'/.test(
        readFileSync(join(root, 'src', name), 'utf8'),
      ),
    );
  expect(writing).toEqual(['cli/output.ts']);
});
