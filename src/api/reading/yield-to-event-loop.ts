import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Resolves when what has come meanwhile has had its turn, requests of others among it. One `setImmediate` would not do where
 * input is being taken in: it runs before the event loop looks for more.
 */
export async function yieldToEventLoop(): Promise<void> {
  await nextTurn();
  await nextTurn();
}
