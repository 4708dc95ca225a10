import type { Server } from 'node:net';

import type { Ready, Used } from './messages.ts';

/** In a measured process: says that it listens, and answers what it has used so far. */
export function tellParent(ready: Ready, storeOperations: () => Promise<number> = async () => 0): void {
  process.on('message', () => {
    void storeOperations().then((operations) => {
      const { user, system } = process.cpuUsage();
      process.send?.({ cpuMs: (user + system) / 1000, storeOperations: operations } satisfies Used);
    });
  });
  process.on('disconnect', () => process.exit(0));
  process.send?.(ready);
}

/** The port of a server that listens. */
export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it does not listen on a port');
  return address.port;
}
