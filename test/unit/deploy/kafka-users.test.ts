import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { PROJECTIONS } from '../../../projections/index.ts';
import { TOPICS } from '../../../src/events/event-types.ts';

/** The rights that projectors have on Kafka. That the guide gives the same ones is held by test/architecture/compose.test.ts. */
const lines = readFileSync('deploy/kafka-users', 'utf8').split('\n');

test('projectors may join the group of every read model', () => {
  const groups = lines.find((line) => /\bproject\b.*--group /.test(line));
  const wanted = PROJECTIONS.map(({ name }) => `--group "\${p}${name}@"`);
  expect(wanted.filter((right) => !groups?.includes(right))).toEqual([]);
});

test('projectors may read every topic but that of refusals', () => {
  const topics = lines.find((line) => /\bproject\b.*--operation Read --topic /.test(line));
  const read = TOPICS.filter(({ name }) => name !== 'catalog.rejected');
  const wanted = read.map(({ name }) => `--topic "\${p}${name}"`);
  expect(wanted.filter((right) => !topics?.includes(right))).toEqual([]);
});
