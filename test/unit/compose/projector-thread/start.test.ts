import type * as Threads from 'node:worker_threads';

import { expect, test, vi } from 'vitest';

import { readConfig } from '../../../../src/config.ts';
import { startProjectorThread } from '../../../../src/compose/projector-thread/start.ts';

// A real thread that really breaks, in the place of the projector's own.
vi.mock('node:worker_threads', async (importOriginal) => {
  const threads = await importOriginal<typeof Threads>();
  return {
    ...threads,
    Worker: class extends threads.Worker {
      constructor(_entry: URL, options: Threads.WorkerOptions) {
        super(new URL('../../../support/dying-thread.ts', import.meta.url), options);
      }
    },
  };
});

const config = readConfig({});

test('a thread that breaks refuses every question, open or new, tells of it, and can still be disposed', async () => {
  const thread = startProjectorThread({ config, acceptGaps: [] });
  await thread.ready;
  const open = thread.health();
  const last = thread.metrics();
  await expect(open).rejects.toThrow('the thread broke');
  await expect(last).rejects.toThrow('the thread broke');
  await expect(thread.failure).rejects.toThrow('the thread broke');
  await expect(thread.health()).rejects.toThrow('the thread broke');
  await thread[Symbol.asyncDispose]();
});

test('a thread that breaks before it is ready has not started', async () => {
  const { ready } = startProjectorThread({ config, acceptGaps: ['at once'] });
  await expect(ready).rejects.toThrow('the thread broke');
});
