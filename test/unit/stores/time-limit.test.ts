import { expect, test } from 'vitest';

import { limitedDocuments } from '../../../src/stores/time-limit.ts';
import { openEngine } from '../../support/engine.ts';
import { overriding } from '../../support/overriding.ts';

test('documents behind a time limit are asked for versions that no failover takes back', async () => {
  await using engine = await openEngine(1);
  const asked: unknown[] = [];
  const documents = overriding(engine.documents, {
    versions: async (...args) => (asked.push(args), new Map()),
  });
  await limitedDocuments(documents, 1000).versions('notes@1', ['a'], { durable: true });
  expect(asked).toEqual([['notes@1', ['a'], { durable: true }]]);
});
