import { expect, test } from 'vitest';

import { sourcesWhere } from '../support/sources.ts';

/** `no-console` of the linter sees to the rest: texts of ours may show a `console.log`. */
test('one file writes to standard output and standard error, so that nothing from outside gets past it', () => {
  const writing = sourcesWhere((text) =>
    /\bprocess\s*\.\s*(?:stdout|stderr)|_rawDebug|\bstdout\b.*from 'node:process'/.test(text),
  );
  expect(writing).toEqual(['src/cli/output.ts']);
});
