import { messageOf } from '../../platform/errors.ts';
import type { LogRecord } from '../../events/log/port.ts';
import type { Logger } from '../../platform/logger.ts';
import { startWorker, type WorkerThread } from '../../platform/worker.ts';
import type { Gatherer, Gathering } from '../../projecting/engine/gatherer.ts';
import type { Pace } from '../../projecting/engine/pacing.ts';
import type { GatheringFunctions, GatheringInput } from './entry.ts';
import { foldName, isKnown } from './folds.ts';
import { pack } from './packing.ts';

/*
 * Gathering in a thread of its own, beside the one that writes documents. It is there while there is much to gather:
 *
 *   none --a lane is behind--> loading: gathered here meanwhile --> ready --nothing to gather for a while--> none
 *   loading, ready --it breaks--> broken: everything is gathered here from then on
 */

export interface GathererParts {
  readonly input: GatheringInput;
  readonly logger: Logger;
  readonly pace?: Pace | undefined;
  /** Of the thread. Default: this release's. */
  readonly file?: URL;
  /** For how long a thread without work is kept, in milliseconds. */
  readonly keptMs?: number;
}

/** So many batches are with the thread at a time: it has work while this one writes. */
const AHEAD = 4;
const KEPT_MS = 10_000;

interface Thread {
  readonly worker: WorkerThread<GatheringFunctions>;
  isReady: boolean;
  /** Gatherings that have begun and not ended. */
  underWay: number;
}

export function createGatherer({
  input,
  logger,
  pace,
  file = new URL('entry.ts', import.meta.url),
  keptMs = KEPT_MS,
}: GathererParts): Gatherer & AsyncDisposable {
  let thread: Thread | null = null;
  let isBroken = false;
  let numbers = 0;
  let ending: NodeJS.Timeout | undefined;

  return {
    begin(projection, from) {
      if (isBroken || !isKnown(projection)) return null;
      thread ??= load();
      endSoon();
      if (!thread.isReady) return null;
      numbers += 1;
      return gatherBeside(thread, numbers, thread.worker.call('begin', numbers, foldName(projection), from));
    },
    [Symbol.asyncDispose]: async () => {
      clearTimeout(ending);
      await thread?.worker[Symbol.asyncDispose]();
      thread = null;
    },
  };

  function load(): Thread {
    const worker = startWorker<GatheringFunctions>(file, { input, holdsProcess: false });
    const loading: Thread = { worker, isReady: false, underWay: 0 };
    worker.call('ready').then(
      () => (loading.isReady = true),
      () => undefined,
    );
    worker.broken.catch((thrown: unknown) => {
      isBroken = true;
      logger.error({ reason: messageOf(thrown) }, 'the gathering thread has ended');
    });
    return loading;
  }

  function endSoon(): void {
    clearTimeout(ending);
    ending = setTimeout(() => {
      if (thread && thread.underWay > 0) return endSoon();
      void thread?.worker[Symbol.asyncDispose]();
      thread = null;
    }, keptMs);
    ending.unref();
  }

  function gatherBeside(beside: Thread, number: number, begun: Promise<void>): Gathering {
    const { worker } = beside;
    const inHand: Promise<void>[] = [];
    let documents = 0;
    let last: LogRecord | null = null;
    beside.underWay += 1;
    take(begun);

    /** What fails is thrown when it is waited for. */
    function take(work: Promise<void>): void {
      work.catch(() => undefined);
      inHand.push(work);
    }

    function end(): void {
      beside.underWay -= 1;
      endSoon();
    }

    return {
      add: async (batch, rest) => {
        last = batch.records.at(-1) ?? last;
        take(
          worker.call('add', number, pack(batch)).then((known) => {
            documents = known.documents;
            pace?.spentElsewhere(known.cpuMs);
          }),
        );
        while (inHand.length > AHEAD) await inHand.shift();
        await rest();
      },
      get documents() {
        return documents;
      },
      finish: async () => {
        const gathered = worker.call('finish', number);
        take(gathered.then(() => undefined));
        await Promise.all(inHand);
        end();
        return { ...(await gathered), last };
      },
      discard: () => {
        worker.call('discard', number).catch(() => undefined);
        end();
      },
    };
  }
}
