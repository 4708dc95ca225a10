import type { Clock } from './clock.ts';

/**
 * Does work again and again, with a rest before each time, until it is disposed of; that aborts the signal, and waits for
 * the work in hand. What the work throws ends it: a failure that passes is the work's own to catch.
 */
export function repeat(
  clock: Pick<Clock, 'sleep'>,
  restMs: number,
  work: (signal: AbortSignal) => Promise<void>,
): AsyncDisposable {
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(restMs, signal);
      if (signal.aborted) return;
      await work(signal);
    }
  };
  const running = run();
  return {
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await running;
    },
  };
}
