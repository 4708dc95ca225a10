import { PermanentError, RetryableError } from '../../src/platform/errors.ts';

/** A store that can be made to fail, or never to answer, and that counts what is asked of it. */
export type Faulty<Store> = Store & Faults;

interface Faults {
  fault: 'none' | 'down' | 'damaged' | 'silent' | 'broken';
  /** Collections, or indexes, that alone are down. */
  failCollections: readonly string[];
  /** Those that alone never answer. */
  silentCollections: readonly string[];
  readonly calls: string[];
}

export function faulty<Store extends object>(store: Store): Faulty<Store> {
  const state: Faults = { fault: 'none', failCollections: [], silentCollections: [], calls: [] };
  return new Proxy(store, {
    get(target, name) {
      if (name in state) return Reflect.get(state, name) as unknown;
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return (...given: unknown[]): unknown => {
        state.calls.push(`${String(name)} ${JSON.stringify(given)}`);
        const failing = state.failCollections.find((collection) => collection === given[0]);
        const isSilent = state.silentCollections.some((collection) => collection === given[0]);
        const fault = isSilent ? 'silent' : failing === undefined ? state.fault : 'down';
        if (fault === 'none') return Reflect.apply(method, target, given) as unknown;
        const what = failing ?? 'the store';
        return name === 'scan' ? failingBatches(fault, what) : fail(fault, what);
      };
    },
    set: (_target, name, value: unknown) => Reflect.set(state, name, value),
  }) as Faulty<Store>;
}

type Fault = Exclude<Faults['fault'], 'none'>;

async function fail(fault: Fault, what: string): Promise<never> {
  if (fault === 'silent') return await new Promise<never>(() => undefined);
  if (fault === 'down') throw new RetryableError(`${what} is down`);
  if (fault === 'damaged') throw new PermanentError(`${what} is damaged`);
  throw new TypeError('a secret detail');
}

function failingBatches(fault: Fault, what: string): AsyncIterable<never> {
  return { [Symbol.asyncIterator]: () => ({ next: () => fail(fault, what) }) };
}
