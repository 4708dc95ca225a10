import { expect, test } from 'vitest';

import { createSerialQueue } from '../../../../src/projecting/engine/serial-queue.ts';

test('work of one name runs one after the other, also after a failure; other names do not wait', async () => {
  const queue = createSerialQueue();
  const gate = Promise.withResolvers<void>();
  const order: string[] = [];
  const first = queue.run('a', async () => {
    await gate.promise;
    order.push('a1');
    throw new Error('a1 failed');
  });
  const second = queue.run('a', async () => void order.push('a2'));
  await queue.run('b', async () => void order.push('b'));
  gate.resolve();
  await expect(first).rejects.toThrow('a1 failed');
  await second;
  expect(order).toEqual(['b', 'a1', 'a2']);
});
