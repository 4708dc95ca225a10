import { Worker } from 'node:worker_threads';

import { PermanentError, RetryableError } from '../../../platform/errors.ts';
import type { Answer, CallName, Calls, Failure, WorkerInput } from './messages.ts';

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A client's thread: none until the first call; then one that answers calls, until it is disposed of. Where it dies,
 * everything that waits for it fails as retryable, and the next call starts another one. It keeps the process alive only
 * while something is waiting.
 */
export class SqliteThread {
  readonly #input: WorkerInput;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #number = 0;
  #isClosing = false;

  constructor(input: WorkerInput) {
    this.#input = input;
  }

  /** Resolves with the thread's answer. Past the deadline, by `systemClock.monotonic`, the call is refused as retryable. */
  async call<Name extends CallName>(
    name: Name,
    given: Calls[Name]['given'],
    deadline: number | null = null,
  ): Promise<Calls[Name]['gives']> {
    if (this.#isClosing) throw new PermanentError(`${this.#input.path} was closed by this process.`);
    const worker = (this.#worker ??= this.#started());
    this.#number += 1;
    const number = this.#number;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.set(number, { resolve, reject });
    worker.ref();
    worker.postMessage({ number, name, given, deadline });
    return (await promise) as Calls[Name]['gives'];
  }

  /** Calls in hand are answered first; later ones are refused. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosing) return;
    const closed = this.#worker ? this.call('close', null) : null;
    this.#isClosing = true;
    await closed?.catch(() => undefined);
    await this.#worker?.terminate();
  }

  #started(): Worker {
    const worker = new Worker(new URL('worker.ts', import.meta.url), { workerData: this.#input });
    worker.on('message', (answer: Answer) => this.#settle(worker, answer));
    worker.on('error', (cause) => this.#lose(worker, cause));
    worker.on('exit', (code) => this.#lose(worker, new Error(`its exit code was ${code}`)));
    return worker;
  }

  #settle(worker: Worker, answer: Answer): void {
    const waiting = this.#waiting.get(answer.number);
    this.#waiting.delete(answer.number);
    if (this.#waiting.size === 0) worker.unref();
    if (answer.outcome === 'done') waiting?.resolve(answer.value);
    else waiting?.reject(errorOf(answer.error));
  }

  #lose(worker: Worker, cause: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    const error = new RetryableError('The search thread has ended', { cause });
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

function errorOf({ kind, message, cause }: Failure): Error {
  switch (kind) {
    case 'retryable':
      return new RetryableError(message, { cause });
    case 'permanent':
      return new PermanentError(message, { cause });
    case 'fault':
      return new Error(message, { cause });
  }
}
