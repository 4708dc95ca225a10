import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { PROJECTIONS } from '../../../projections/index.ts';
import { TOPICS } from '../../../src/events/types.ts';

/** The rights that projectors have on Kafka, in the script and in the guide. */
const WHERE = [
  { file: 'deploy/kafka-users', before: '"${p}', after: '"' },
  { file: 'docs/guides/deploy.md', before: '', after: '' },
];

test.each(WHERE)('$file lets projectors join the group of every read model', ({ file, before, after }) => {
  const groups = linesOf(file).find((line) => /\bproject\b.*--group /.test(line));
  const wanted = PROJECTIONS.map(({ name }) => `--group ${before}${name}@${after}`);
  expect(wanted.filter((right) => !groups?.includes(right))).toEqual([]);
});

test.each(WHERE)('$file lets projectors read every topic but that of refusals', ({ file, before, after }) => {
  const topics = linesOf(file).find((line) => /\bproject\b.*--operation Read --topic /.test(line));
  const read = TOPICS.filter(({ name }) => name !== 'catalog.rejected');
  const wanted = read.map(({ name }) => `--topic ${before}${name}${after}`);
  expect(wanted.filter((right) => !topics?.includes(right))).toEqual([]);
});

function linesOf(file: string): readonly string[] {
  return readFileSync(file, 'utf8').split('\n');
}
