import { getPriority } from 'node:os';
import { Worker } from 'node:worker_threads';

import { expect, test } from 'vitest';

/** A thread that steps back, as often as it is told to, and says how nice it then is: here, or in a thread that it starts. */
const THREAD = `
  import { readlinkSync } from 'node:fs';
  import { getPriority } from 'node:os';
  import { parentPort, Worker, workerData } from 'node:worker_threads';
  const { lowerThreadPriority } = await import(workerData.module);
  const nice = () => getPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)));
  lowerThreadPriority();
  const own = nice();
  if (workerData.depth === 1) parentPort.postMessage([own]);
  else {
    const file = new URL('data:text/javascript,' + encodeURIComponent(workerData.source));
    const inner = new Worker(file, { workerData: { ...workerData, depth: workerData.depth - 1 } });
    inner.on('message', (steps) => parentPort.postMessage([own, ...steps]));
  }
`;

test.runIf(process.platform === 'linux')(
  'a thread steps back behind the one that starts it, as far as the lowest',
  async () => {
    const module = new URL('../../../../src/platform/threads/priority.ts', import.meta.url).href;
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(THREAD)}`), {
      workerData: { module, source: THREAD, depth: 4 },
    });
    const steps = await new Promise((resolve, reject) => {
      worker.on('message', resolve);
      worker.on('error', reject);
    });
    // By 5 each, of a process that has the usual priority, as far as 15.
    const niceness = [1, 2, 3, 4].map((times) => Math.min(getPriority() + 5 * times, 15));
    expect(steps).toEqual(niceness);
  },
);
