import type { GatheringFunctions } from '../../src/compose/gathering-thread/entry.ts';
import { offer } from '../../src/platform/worker-offer.ts';

/** A gathering thread that breaks with the first batch. */
const functions: GatheringFunctions = {
  ready: async () => undefined,
  begin: async () => undefined,
  add: () => {
    setImmediate(() => {
      throw new Error('the thread broke');
    });
    return new Promise(() => undefined);
  },
  finish: () => new Promise(() => undefined),
  discard: async () => undefined,
};
offer(functions, async () => undefined);
