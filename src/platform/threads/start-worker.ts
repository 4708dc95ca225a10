import { Worker } from 'node:worker_threads';

import { PermanentError } from '../errors.ts';
import { type Answer, type Call, type Callable, errorOf } from './offer-functions.ts';

/**
 * Calls between two threads: one offers functions, the other one, which started it, calls them by name. Arguments and
 * values are copied (structured clone). Every call is answered once, or refused when the thread breaks:
 *
 *   running --disposed of--> closing: calls in hand are answered, what the thread holds is closed --> ended
 *   running, closing --it breaks--> ended: the calls that wait are refused
 */
interface WorkerThread<Functions extends Callable<Functions>> extends AsyncDisposable {
  /**
   * What the function returns or throws; errors of ours keep their class.
   * @throws what `whenBroken` makes, where the thread has broken, or breaks before it answers.
   * @throws {PermanentError} where the thread was disposed of.
   */
  call<Name extends keyof Functions>(
    name: Name,
    ...given: Parameters<Functions[Name]>
  ): ReturnType<Functions[Name]>;
  /** Rejects, before the calls that wait do, where the thread ends without being disposed of; never resolves. */
  readonly broken: Promise<never>;
}

export interface WorkerOptions {
  /** `workerData` in the thread. */
  readonly input: unknown;
  /** Whether the process goes on for as long as the thread does; else only while a call waits for its answer. */
  readonly holdsProcess: boolean;
  /** The error that says that the thread has ended, and why. Default: the cause itself. */
  readonly whenBroken?: (cause: Error) => Error;
}

/** Starts a thread whose file calls `offer` with these functions. */
export function startWorker<Functions extends Callable<Functions>>(
  file: URL,
  { input, holdsProcess, whenBroken = (cause) => cause }: WorkerOptions,
): WorkerThread<Functions> {
  const worker = new Worker(file, { workerData: input });
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const broken = Promise.withResolvers<never>();
  // Nobody has to wait for it.
  broken.promise.catch(() => undefined);
  let lastNumber = 0;
  let closing: Promise<void> | null = null;
  let end: Error | null = null;

  worker.on('message', (answer: Answer) => {
    const call = waiting.get(answer.number);
    waiting.delete(answer.number);
    if (waiting.size === 0 && !holdsProcess) worker.unref();
    if (answer.outcome === 'done') call?.resolve(answer.value);
    else call?.reject(errorOf(answer.error));
  });
  worker.on('error', (thrown) => lose(thrown instanceof Error ? thrown : new Error(String(thrown))));
  worker.on('exit', (code) => lose(new Error(`the thread ended with code ${code}`)));

  return {
    call(name, ...given) {
      const answer = closing
        ? Promise.reject(new PermanentError('The thread was closed by this process.'))
        : send(String(name), given);
      // The file of the thread offers functions of this type.
      return answer as ReturnType<Functions[typeof name]>;
    },
    broken: broken.promise,
    [Symbol.asyncDispose]: () => (closing ??= close()),
  };

  async function send(name: string | null, given: readonly unknown[]): Promise<unknown> {
    if (end) throw end;
    const answer = Promise.withResolvers<unknown>();
    lastNumber += 1;
    // First, because what cannot be copied throws here.
    worker.postMessage({ number: lastNumber, name, given } satisfies Call);
    waiting.set(lastNumber, answer);
    worker.ref();
    return await answer.promise;
  }

  async function close(): Promise<void> {
    try {
      await send(null, []);
    } catch (thrown) {
      // Nothing is left to close.
      if (thrown !== end) throw thrown;
    } finally {
      await worker.terminate();
    }
  }

  function lose(cause: Error): void {
    if (end) return;
    end = whenBroken(cause);
    if (!closing) broken.reject(end);
    for (const { reject } of waiting.values()) reject(end);
    waiting.clear();
  }
}

/**
 * A thread that the first call starts, and that keeps the process only while a call waits for its answer. Where it breaks,
 * the calls that wait are told why, and the next one starts another.
 */
export function startWorkerWhenCalled<Functions extends Callable<Functions>>(
  file: URL,
  options: Omit<WorkerOptions, 'holdsProcess'>,
): Omit<WorkerThread<Functions>, 'broken'> {
  let thread: WorkerThread<Functions> | null = null;
  const started = (): WorkerThread<Functions> => {
    if (thread) return thread;
    thread = startWorker<Functions>(file, { ...options, holdsProcess: false });
    thread.broken.catch(() => (thread = null));
    return thread;
  };
  return {
    call: (name, ...given) => started().call(name, ...given),
    [Symbol.asyncDispose]: async () => await thread?.[Symbol.asyncDispose](),
  };
}
