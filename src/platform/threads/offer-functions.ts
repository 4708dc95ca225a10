import { parentPort } from 'node:worker_threads';

import { messageOf, PermanentError, RetryableError } from '../errors.ts';

/** What goes between a thread and the one that started it (start-worker.ts, offer-functions.ts). */
export type Callable<Functions> = {
  readonly [Name in keyof Functions]: (...given: never[]) => Promise<unknown>;
};

export interface Call {
  readonly number: number;
  /** null for the last one, which closes. */
  readonly name: string | null;
  readonly given: readonly unknown[];
}

export type Answer =
  | { readonly number: number; readonly outcome: 'done'; readonly value: unknown }
  | { readonly number: number; readonly outcome: 'failed'; readonly error: Failure };

/** An error on its way: a structured clone keeps no class of ours. */
interface Failure {
  readonly kind: keyof typeof ERRORS;
  readonly message: string;
  readonly cause: unknown;
}

const ERRORS = { retryable: RetryableError, permanent: PermanentError, fault: Error } as const;

export function failureOf(thrown: unknown): Failure {
  const message = messageOf(thrown);
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  if (thrown instanceof RetryableError) return { kind: 'retryable', message, cause };
  if (thrown instanceof PermanentError) return { kind: 'permanent', message, cause };
  return { kind: 'fault', message, cause: thrown };
}

export function errorOf({ kind, message, cause }: Failure): Error {
  return new ERRORS[kind](message, { cause });
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
