import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { answerParent, MEASURED_CORE, startChild, tellParent, type ChildOptions } from '../child-process.ts';
import { type LoadGenerator, requireAnswered, startLoad } from '../load/generator.ts';
import type { Measured as Answered, Request } from '../load/messages.ts';

/** What a measured process says once it listens. */
interface Ready {
  readonly port: number;
  /** API keys, where it knows any. */
  readonly keys: readonly string[];
}

/** What a server has asked of its stores since it began. */
export interface StoreUse {
  /** Calls. */
  readonly operations: number;
  /** Documents that were read and written for keys and the quota. */
  readonly accessRead: number;
  readonly accessWritten: number;
  /** Reads of listings or of their versions, each of one or of many. */
  readonly listingReads: number;
}

/** What it has used since it began. */
interface Used {
  readonly cpuMs: number;
  readonly stores: StoreUse;
}

/** A server in a process of its own, on a core of its own, with what asks it. */
export interface Measured extends AsyncDisposable, Ready {
  readonly pid: number;
  /** Each request in its turn, or in this order, over and over; fails where an answer has another status than these, by default 200. */
  load(asked: readonly Request[], statuses?: readonly number[], order?: Uint32Array): Promise<Load>;
  used(): Promise<Used>;
}

/** What asks for the same in every slice. */
export interface Load extends AsyncDisposable {
  /** As fast as it answers. */
  slice(ms: number): Promise<Slice>;
  /** At this rate, whatever the answers take. */
  steady(perSecond: number, ms: number): Promise<Answered>;
  readonly generator: LoadGenerator;
}

export interface Slice {
  readonly requests: number;
  readonly perSecond: number;
  /** Of the whole process, in microseconds. */
  readonly cpuPerRequest: number;
  readonly stores: StoreUse;
}

const NOT_COUNTED: StoreUse = { operations: 0, accessRead: 0, accessWritten: 0, listingReads: 0 };

/** Connections that ask at the same time. */
const AT_ONCE = 16;

/** `file` is below the folder of benchmarks. */
export async function startMeasured(file: string, options: ChildOptions = {}): Promise<Measured> {
  const child = startChild(file, {
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
    load: async (asked, statuses, order) => {
      const generator = await startLoad(ready.port, asked, order);
      return {
        generator,
        slice: (ms) => sliceOf(generator, used, ms, statuses),
        steady: async (perSecond, ms) => {
          const answered = await generator.run({ perSecond }, ms);
          requireAnswered(answered, statuses);
          return answered;
        },
        [Symbol.asyncDispose]: () => generator[Symbol.asyncDispose](),
      };
    },
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}

async function sliceOf(
  generator: LoadGenerator,
  used: () => Promise<Used>,
  ms: number,
  statuses?: readonly number[],
): Promise<Slice> {
  const before = await used();
  const measured = await generator.run({ atOnce: AT_ONCE }, ms);
  const after = await used();
  requireAnswered(measured, statuses);
  const requests = measured.latencies.length;
  return {
    requests,
    perSecond: (requests * 1000) / measured.tookMs,
    cpuPerRequest: ((after.cpuMs - before.cpuMs) * 1000) / requests,
    stores: {
      operations: after.stores.operations - before.stores.operations,
      accessRead: after.stores.accessRead - before.stores.accessRead,
      accessWritten: after.stores.accessWritten - before.stores.accessWritten,
      listingReads: after.stores.listingReads - before.stores.listingReads,
    },
  };
}

/** Has a measured process serve on any free port; it knows no keys, and of its stores nothing is counted. */
export function listenMeasured(server: Server): void {
  server.listen(0, '127.0.0.1', () =>
    serveMeasured({ port: (server.address() as AddressInfo).port, keys: [] }),
  );
}

/** In a measured process: says that it listens, and answers what it has used so far. */
export function serveMeasured(ready: Ready, stores: () => Promise<StoreUse> = async () => NOT_COUNTED): void {
  answerParent(async (): Promise<Used> => {
    const { user, system } = process.cpuUsage();
    return { cpuMs: (user + system) / 1000, stores: await stores() };
  });
  tellParent(ready);
}
