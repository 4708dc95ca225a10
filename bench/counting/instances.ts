import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Counted, Run } from './messages.ts';

/** Several counting processes on the same files. */
export interface Instances extends AsyncDisposable {
  /** All of them at once; what they counted together. */
  run(run: Run): Promise<Counted>;
}

export function startInstances(count: number): Instances {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const child = join(import.meta.dirname, 'child.ts');
  const children = Array.from({ length: count }, () => fork(child, [folder]));
  return {
    run: async (run) => {
      const parts = await Promise.all(children.map((each) => tell(each, run)));
      const sum = (of: (part: Counted) => number): number =>
        parts.reduce((total, part) => total + of(part), 0);
      return {
        requests: sum(({ requests }) => requests),
        granted: sum(({ granted }) => granted),
        operations: sum(({ operations }) => operations),
        tookMs: Math.max(...parts.map(({ tookMs }) => tookMs)),
      };
    },
    [Symbol.asyncDispose]: async () => {
      const ended = children.map((each) => once(each, 'exit'));
      for (const each of children) each.disconnect();
      await Promise.all(ended);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function tell(child: ChildProcess, run: Run): Promise<Counted> {
  const answer = Promise.withResolvers<Counted>();
  const onExit = (): void => answer.reject(new Error('a counting process died'));
  child.once('message', (counted) => answer.resolve(counted as Counted));
  child.once('exit', onExit);
  child.send(run);
  const counted = await answer.promise;
  child.off('exit', onExit);
  return counted;
}
