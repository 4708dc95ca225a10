import type { ReadOptions } from './documents/port.ts';

/** What readers see of a read model's document: the rest, often the larger part, is what its view is made of. */
export const VIEW: ReadOptions = { keys: ['view'] };
