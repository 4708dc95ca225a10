import { fork } from 'node:child_process';
import { join } from 'node:path';

import type { Measured, Request, Run } from './messages.ts';
import { LOAD_CORE, pin } from './pinning.ts';

/** A process of its own that sends requests and measures the answers. */
export interface LoadGenerator extends Disposable {
  /** Goes on with the request after the last one of the run before. */
  run(load: Run['load'], durationMs: number): Promise<Measured>;
}

export function startLoad(port: number, requests: readonly Request[]): LoadGenerator {
  const child = fork(join(import.meta.dirname, 'child.ts'), { serialization: 'advanced' });
  pin(child.pid, LOAD_CORE);
  child.send({ kind: 'setup', port, requests });
  let from = 0;
  return {
    run: async (load, durationMs) => {
      const answer = Promise.withResolvers<Measured>();
      const onExit = (): void => answer.reject(new Error('a load process died'));
      child.once('message', (measured) => answer.resolve(measured as Measured));
      child.once('exit', onExit);
      child.send({ kind: 'run', from, load, durationMs } satisfies Run);
      const measured = await answer.promise;
      child.off('exit', onExit);
      from += measured.latencies.length;
      return measured;
    },
    [Symbol.dispose]: () => child.disconnect(),
  };
}
