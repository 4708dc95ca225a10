import { expect, test } from 'vitest';

import { createTurns } from '../../../../src/projecting/engine/serial-queue.ts';

test('work of one name runs one after the other, also after a failure; other names do not wait', async () => {
  const turns = createTurns();
  const gate = Promise.withResolvers<void>();
  const order: string[] = [];
  const first = turns.take('a', async () => {
    await gate.promise;
    order.push('a1');
    throw new Error('a1 failed');
  });
  const second = turns.take('a', async () => void order.push('a2'));
  await turns.take('b', async () => void order.push('b'));
  gate.resolve();
  await expect(first).rejects.toThrow('a1 failed');
  await second;
  expect(order).toEqual(['b', 'a1', 'a2']);
});
