import { setFlagsFromString } from 'node:v8';

/** By how much a heap may grow beyond what it held after its last full collection, in percent; 0 leaves that to V8. */
export const GROWTH_PERCENT = 100;

let holders = 0;

/**
 * Until it is disposed of, the heaps of this process, those of its threads included, grow to twice what they hold before they are
 * collected again. By itself V8 lets them grow up to four times as large, for as long as there is memory.
 */
export function limitHeapGrowth(): Disposable {
  holders += 1;
  if (holders === 1) allow(GROWTH_PERCENT);
  return {
    [Symbol.dispose]: () => {
      holders -= 1;
      if (holders === 0) allow(0);
    },
  };
}

function allow(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}
