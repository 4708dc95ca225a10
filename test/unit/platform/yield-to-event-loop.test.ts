import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';

import { expect, test } from 'vitest';

import { yieldToEventLoop } from '../../../src/platform/yield-to-event-loop.ts';

test('what comes while input is taken in has its turn first', async () => {
  const told: string[] = [];
  const done = Promise.withResolvers<void>();
  const server = createServer((socket) =>
    socket.on('data', (data) => {
      told.push(String(data));
      if (String(data) !== 'work') return;
      // It is there before this turn ends.
      other.write('another');
      void yieldToEventLoop().then(() => {
        told.push('the rest of the work');
        done.resolve();
      });
    }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const [first, other] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
  await Promise.all([once(first, 'connect'), once(other, 'connect')]);
  first.write('work');
  await done.promise;
  expect(told).toEqual(['work', 'another', 'the rest of the work']);
  for (const socket of [first, other]) socket.destroy();
  server.close();
});
