import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';

import { type LoadGenerator, startLoad } from '../load/generator.ts';
import { MEASURED_CORE, pin } from '../load/pinning.ts';
import type { Asked, Ready, Used } from './messages.ts';

/** A server in a process of its own, on a core of its own, with what asks it. */
export interface Measured extends AsyncDisposable, Ready {
  readonly pid: number;
  /** The same requests in every slice. */
  load(asked: Asked): Load;
  used(): Promise<Used>;
}

/** What asks for the same in every slice. */
export interface Load extends Disposable {
  /** As fast as it answers. Throws where an answer has another status than this one. */
  slice(ms: number, status?: number): Promise<Slice>;
  readonly generator: LoadGenerator;
}

export interface Slice {
  readonly requests: number;
  readonly perSecond: number;
  /** Of the whole process, in microseconds. */
  readonly cpuPerRequest: number;
  readonly storeOperations: number;
}

/** Connections that ask at the same time. */
const AT_ONCE = 16;

export interface StartOptions {
  readonly arguments?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Where its standard error goes: the access log. */
  readonly log?: string;
}

export async function startMeasured(file: string, options: StartOptions = {}): Promise<Measured> {
  const log = options.log === undefined ? 'inherit' : openSync(options.log, 'a');
  const child = fork(join(import.meta.dirname, file), [...(options.arguments ?? [])], {
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'ignore', log, 'ipc'],
  });
  if (typeof log === 'number') closeSync(log);
  pin(child.pid, MEASURED_CORE);
  const ready = (await told(child)) as Ready;
  const used = async (): Promise<Used> => {
    const answer = told(child);
    child.send('used');
    return (await answer) as Used;
  };
  return {
    ...ready,
    pid: child.pid ?? 0,
    used,
    load: (asked) => {
      const generator = startLoad(ready.port, asked);
      return {
        generator,
        slice: sliceOf(generator, used),
        [Symbol.dispose]: () => generator[Symbol.dispose](),
      };
    },
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

function sliceOf(generator: LoadGenerator, used: () => Promise<Used>): Load['slice'] {
  return async (ms, status = 200) => {
    const before = await used();
    const { statuses, latencies, tookMs } = await generator.run({ atOnce: AT_ONCE }, ms);
    const after = await used();
    const requests = latencies.length;
    // Only what was asked for counts: what is refused quickly is not fast.
    if (statuses[status] !== requests) throw new Error(`answered with ${JSON.stringify(statuses)}`);
    return {
      requests,
      perSecond: (requests * 1000) / tookMs,
      cpuPerRequest: ((after.cpuMs - before.cpuMs) * 1000) / requests,
      storeOperations: after.storeOperations - before.storeOperations,
    };
  };
}

async function told(child: ChildProcess): Promise<unknown> {
  const answer = Promise.withResolvers<unknown>();
  const onExit = (): void => answer.reject(new Error('a measured process died'));
  child.once('message', answer.resolve);
  child.once('exit', onExit);
  try {
    return await answer.promise;
  } finally {
    child.off('message', answer.resolve);
    child.off('exit', onExit);
  }
}
