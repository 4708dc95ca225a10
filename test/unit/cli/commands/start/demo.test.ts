import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { TEXTS } from '../../../../../src/texts/texts.ts';
import { printDemo } from '../../../../../src/cli/commands/start/announcement.ts';
import { printedTo } from '../../../../support/printed-to.ts';

test('start, the README and the pages say the same of what is generated in the sample', () => {
  const { notice } = TEXTS.en.shell.sample;
  const printed = printedTo('stdout');
  printDemo('http://localhost:8080', 'cat_live_x');
  expect(printed()).toContain(`${notice}\n`);
  const readme = readFileSync(new URL('../../../../../README.md', import.meta.url), 'utf8');
  const [, what = 'nothing'] = /^This is a sample: (.+)\.$/.exec(notice) ?? [];
  expect(readme.replace(/\s+/g, ' ')).toContain(what);
});
