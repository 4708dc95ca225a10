import { expect, test } from 'vitest';

import { wrapCalls } from '../../../src/stores/wrap-calls.ts';
import type { Documents } from '../../../src/stores/documents/port.ts';

test('each call is asked for as it was, durable or not; of a scan each batch goes through what stands around', async () => {
  const asked: unknown[] = [];
  const around: string[] = [];
  const documents: Partial<Documents> = {
    versions: async (...call) => (asked.push(call), new Map()),
    find: async (...call) => (asked.push(call), { documents: [], next: null }),
    write: async (...call) => (asked.push(call), ['done']),
    async *scan(...call) {
      asked.push(call);
      for (const id of ['a', 'b']) yield [{ id, version: '1', body: {} as never }];
    },
  };
  const through = wrapCalls(documents, async (call, name) => {
    around.push(name);
    return await call();
  });
  const { signal } = new AbortController();
  const query = { where: {}, order: [], limit: 1, durable: true };
  await through.versions?.('c', ['a'], { durable: true });
  await through.find?.('c', query);
  await through.write?.('c', [], { signal });
  const batches = await Array.fromAsync(through.scan?.('c', { keys: [] }) ?? []);
  expect(batches.flat().map(({ id }) => id)).toEqual(['a', 'b']);
  expect(asked).toEqual([
    ['c', ['a'], { durable: true }],
    ['c', query],
    ['c', [], { signal }],
    ['c', { keys: [] }],
  ]);
  expect(around).toEqual(['versions', 'find', 'write', 'scan', 'scan', 'scan']);
  expect(through.origins).toBeUndefined();
});
