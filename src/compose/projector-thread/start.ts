import { Worker } from 'node:worker_threads';

import { PermanentError } from '../../platform/errors.ts';
import type { Health } from '../../projecting/inspect/health.ts';
import type { Question, ThreadInput, ThreadMessage } from './messages.ts';

/**
 * Projecting in a thread of its own: the embedded stores are synchronous, and a fold must not delay a request.
 * Disposing it finishes and checkpoints the batches in hand.
 */
export interface ProjectorThread extends AsyncDisposable {
  health(): Promise<Health>;
  /** Prometheus text of the thread's own registry. */
  metrics(): Promise<string>;
  /** Resolves once the thread has joined its groups; rejects with the reason why it could not start. */
  readonly ready: Promise<void>;
  /** Rejects when the thread dies before it was told to stop; never resolves. */
  readonly failure: Promise<never>;
}

export function startProjectorThread(input: ThreadInput): ProjectorThread {
  const worker = new Worker(new URL('entry.ts', import.meta.url), { workerData: input });
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const ready = Promise.withResolvers<void>();
  const failure = Promise.withResolvers<never>();
  let number = 0;
  let stopping = false;
  let dead: Error | null = null;
  // Nobody has to wait for either.
  for (const { promise } of [ready, failure]) promise.catch(() => undefined);

  worker.on('message', (message: ThreadMessage) => {
    switch (message.kind) {
      case 'ready':
        ready.resolve();
        return;
      case 'refused':
        ready.reject(new PermanentError(message.reason));
        return;
      case 'answer':
        waiting.get(message.number)?.resolve(message.value);
        waiting.delete(message.number);
        return;
    }
  });
  const die = (error: Error): void => {
    dead ??= error;
    ready.reject(error);
    if (!stopping) failure.reject(error);
    for (const question of waiting.values()) question.reject(error);
    waiting.clear();
  };
  worker.on('error', (thrown) => die(thrown instanceof Error ? thrown : new Error(String(thrown))));
  worker.on('exit', (code) => die(new Error(`the projector thread ended with code ${code}`)));

  const ask = (question: Question['ask']): Promise<unknown> => {
    if (dead) return Promise.reject(dead);
    const answer = Promise.withResolvers<unknown>();
    number += 1;
    waiting.set(number, answer);
    worker.postMessage({ number, ask: question } satisfies Question);
    return answer.promise;
  };
  return {
    health: async () => (await ask('health')) as Health,
    metrics: async () => (await ask('metrics')) as string,
    ready: ready.promise,
    failure: failure.promise,
    [Symbol.asyncDispose]: async () => {
      stopping = true;
      try {
        await ask('stop');
      } catch (thrown) {
        // Nothing is left to stop, and the next start goes on at the last checkpoint.
        if (thrown !== dead) throw thrown;
      }
      await worker.terminate();
    },
  };
}
