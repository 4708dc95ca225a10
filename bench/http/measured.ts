import { answerParent, MEASURED_CORE, startChild, tellParent, type ChildOptions } from '../child-process.ts';
import { type LoadGenerator, requireAnswered, startLoad } from '../load/generator.ts';
import type { Request } from '../load/messages.ts';

/** What a measured process says once it listens. */
interface Ready {
  readonly port: number;
  /** API keys, where it knows any. */
  readonly keys: readonly string[];
}

/** What it has used since it began. */
interface Used {
  readonly cpuMs: number;
  /** Calls of stores, where it has any. */
  readonly storeOperations: number;
}

/** A server in a process of its own, on a core of its own, with what asks it. */
export interface Measured extends AsyncDisposable, Ready {
  readonly pid: number;
  /** Each request in its turn, over and over. */
  load(asked: readonly Request[]): Promise<Load>;
  used(): Promise<Used>;
}

/** What asks for the same in every slice. */
export interface Load extends AsyncDisposable {
  /** As fast as it answers. Throws where an answer is not 200. */
  slice(ms: number): Promise<Slice>;
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

/** `file` is in this folder. */
export async function startMeasured(file: string, options: ChildOptions = {}): Promise<Measured> {
  const child = startChild(`http/${file}`, {
    ...options,
    env: { ...process.env, ...options.env } as Readonly<Record<string, string>>,
    core: MEASURED_CORE,
  });
  const ready = await child.ask<Ready>();
  const used = (): Promise<Used> => child.ask<Used>('used');
  return {
    ...ready,
    pid: child.pid,
    used,
    load: async (asked) => {
      const generator = await startLoad(ready.port, asked);
      return {
        generator,
        slice: (ms) => sliceOf(generator, used, ms),
        [Symbol.asyncDispose]: () => generator[Symbol.asyncDispose](),
      };
    },
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}

async function sliceOf(generator: LoadGenerator, used: () => Promise<Used>, ms: number): Promise<Slice> {
  const before = await used();
  const measured = await generator.run({ atOnce: AT_ONCE }, ms);
  const after = await used();
  requireAnswered(measured);
  const requests = measured.latencies.length;
  return {
    requests,
    perSecond: (requests * 1000) / measured.tookMs,
    cpuPerRequest: ((after.cpuMs - before.cpuMs) * 1000) / requests,
    storeOperations: after.storeOperations - before.storeOperations,
  };
}

/** In a measured process: says that it listens, and answers what it has used so far. */
export function serveMeasured(ready: Ready, storeOperations: () => Promise<number> = async () => 0): void {
  answerParent(async (): Promise<Used> => {
    const { user, system } = process.cpuUsage();
    return { cpuMs: (user + system) / 1000, storeOperations: await storeOperations() };
  });
  tellParent(ready);
}
