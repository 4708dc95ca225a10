import { setFlagsFromString } from 'node:v8';

/** By how much a heap may grow beyond what it held after its last full collection, in percent; 0 leaves that to V8. */
export const GROWTH_PERCENT = 100;

const holders = new Set<object>();

/**
 * Until it is disposed of, the heaps of this process, those of its threads included, grow to twice what they hold before they are
 * collected again. By itself V8 lets them grow up to four times as large, for as long as there is memory.
 */
export function limitHeapGrowth(setFlag: (flag: string) => void = setFlagsFromString): Disposable {
  const allow = (percent: number): void => setFlag(`--heap-growing-percent=${percent}`);
  const holder = {};
  if (holders.size === 0) allow(GROWTH_PERCENT);
  holders.add(holder);
  return {
    [Symbol.dispose]: () => {
      if (holders.delete(holder) && holders.size === 0) allow(0);
    },
  };
}
