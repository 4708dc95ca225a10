import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { parentPort, Worker } from 'node:worker_threads';

import { messageOf, PermanentError, RetryableError } from './errors.ts';

/**
 * Calls between two threads: one offers functions, the other one, which started it, calls them by name. Arguments and
 * values are copied (structured clone). Every call is answered once, or refused when the thread breaks:
 *
 *   running --disposed of--> closing: calls in hand are answered, what the thread holds is closed --> ended
 *   running, closing --it breaks--> ended: the calls that wait are refused
 */
export interface WorkerThread<Functions extends Callable<Functions>> extends AsyncDisposable {
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

export type Callable<Functions> = {
  readonly [Name in keyof Functions]: (...given: never[]) => Promise<unknown>;
};

export interface WorkerOptions {
  /** `workerData` in the thread. */
  readonly input: unknown;
  /** Whether the process goes on for as long as the thread does; else only while a call waits for its answer. */
  readonly holdsProcess: boolean;
  /** The error that says that the thread has ended, and why. Default: the cause itself. */
  readonly whenBroken?: (cause: Error) => Error;
}

interface Call {
  readonly number: number;
  /** null for the last one, which closes. */
  readonly name: string | null;
  readonly given: readonly unknown[];
}

type Answer =
  | { readonly number: number; readonly outcome: 'done'; readonly value: unknown }
  | { readonly number: number; readonly outcome: 'failed'; readonly error: Failure };

/** An error on its way: a structured clone keeps no class of ours. */
interface Failure {
  readonly kind: keyof typeof ERRORS;
  readonly message: string;
  readonly cause: unknown;
}

const ERRORS = { retryable: RetryableError, permanent: PermanentError, fault: Error } as const;

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
 * In the thread: answers the calls of the one that started it. `close` is the last of them; `answered` resolves when
 * those before it have their answers. After it the thread ends as soon as nothing of it is left to do.
 */
export function offer<Functions extends Callable<Functions>>(
  functions: Functions,
  close: (answered: Promise<unknown>) => Promise<void>,
): void {
  const inHand = new Set<Promise<void>>();
  // The other side knows their types.
  const named = functions as unknown as Readonly<Record<string, (...given: readonly unknown[]) => unknown>>;

  parentPort?.on('message', ({ number, name, given }: Call) => {
    const answered = name === null ? answer(number, last) : answer(number, () => named[name]?.(...given));
    inHand.add(answered);
    void answered.then(() => {
      inHand.delete(answered);
      if (name === null) parentPort?.close();
    });
  });

  async function last(): Promise<void> {
    const before = Promise.all(inHand);
    await close(before);
    await before;
  }

  async function answer(number: number, perform: () => unknown): Promise<void> {
    try {
      tell({ number, outcome: 'done', value: await perform() });
    } catch (thrown) {
      tell({ number, outcome: 'failed', error: failureOf(thrown) });
    }
  }
}

function tell(answer: Answer): void {
  parentPort?.postMessage(answer);
}

function failureOf(thrown: unknown): Failure {
  const message = messageOf(thrown);
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  if (thrown instanceof RetryableError) return { kind: 'retryable', message, cause };
  if (thrown instanceof PermanentError) return { kind: 'permanent', message, cause };
  return { kind: 'fault', message, cause: thrown };
}

function errorOf({ kind, message, cause }: Failure): Error {
  return new ERRORS[kind](message, { cause });
}

/** How far a background thread steps back: about a tenth of the weight of those that answer requests. */
const NICENESS = 10;

/**
 * Lets the calling thread step back behind the others, so that its long computations do not delay answers where cores
 * are few. Only Linux knows priorities of threads: there `setpriority` takes a thread's id (setpriority(2)). Elsewhere,
 * and where it is not permitted, nothing changes.
 */
export function runInBackground(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), NICENESS);
  } catch {
    // A courtesy to others, not a promise: some containers have no /proc, or forbid it.
  }
}
