import { expect, test } from 'vitest';

import { limitedDocuments } from '../../../src/stores/time-limit.ts';
import type { Documents } from '../../../src/stores/documents/port.ts';
import { identified } from '../../../src/stores/identity.ts';
import { openEngine } from '../../support/engine.ts';
import { overriding } from '../../support/overriding.ts';

test.for([
  ['a time limit', (documents: Documents) => limitedDocuments(documents, 1000)],
  ['an identity', (documents: Documents) => identified(documents, 'here')],
] as const)('documents behind %s are asked for versions that no failover takes back', async ([, wrap]) => {
  await using engine = await openEngine(1);
  const asked: unknown[] = [];
  const documents = overriding(engine.documents, {
    versions: async (...args) => (asked.push(args), new Map()),
  });
  await wrap(documents).versions('notes@1', ['a'], { durable: true });
  expect(asked).toEqual([['notes@1', ['a'], { durable: true }]]);
});
