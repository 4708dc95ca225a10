import { parentPort } from 'node:worker_threads';

import { type Answer, type Call, type Callable, failureOf } from './worker-messages.ts';

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
