import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Soon } from './soon.ts';

/**
 * Resolves when what has come meanwhile has had its turn, requests of others among it. One `setImmediate` would not do where
 * input is being taken in: it runs before the event loop looks for more.
 */
export async function othersTurn(): Promise<void> {
  await nextTurn();
  await nextTurn();
}

/** A value that is there, at once; one that has to be waited for, after others have had their turn, because work follows. */
export function afterOthers<T>(value: Soon<T>): Soon<T> {
  return value instanceof Promise ? value.then((there) => othersTurn().then(() => there)) : value;
}
